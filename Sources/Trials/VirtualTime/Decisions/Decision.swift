/// One choice of a world: its kind, how many possibilities there were, and the number of the one that was taken.
///
/// Possibilities are numbered from 0, and 0 is always the dullest: nobody is interrupted, who waits longest goes on, nothing is late, nothing
/// breaks. Shrinking goes towards it.
public struct Decision: Hashable, Sendable {
    public let kind: DecisionKind
    public let options: UInt32
    public let taken: UInt32
    /// Where the question was asked.
    public let place: Place

    /// - Throws: ``DecisionError`` if there was nothing to choose, or if the possibility is not one of those.
    public init(
        _ kind: DecisionKind, options: UInt32, taken: UInt32, at place: Place = Place(site: 0, ordinal: 0)
    ) throws(DecisionError) {
        guard options >= Self.fewestOptions else { throw .noChoice(kind, options: options) }
        guard taken < options else { throw .outOfRange(kind, options: options, taken: taken) }
        (self.kind, self.options, self.taken, self.place) = (kind, options, taken, place)
    }

    /// Two: a question with one answer is not drawn, and has no number.
    public static let fewestOptions: UInt32 = 2

    public var isDull: Bool { taken == 0 }

    /// The same question with a smaller answer, or with its own if the given one is not smaller.
    public func lowered(to taken: UInt32) -> Decision {
        Decision(unchecked: kind, options, min(taken, self.taken), at: place)
    }

    /// For answers that are known to be below the number of options.
    init(unchecked kind: DecisionKind, _ options: UInt32, _ taken: UInt32, at place: Place) {
        (self.kind, self.options, self.taken, self.place) = (kind, options, taken, place)
    }
}

extension Decision: CustomStringConvertible {
    public var description: String { "\(kind.name) \(taken) of \(options)" }
}
