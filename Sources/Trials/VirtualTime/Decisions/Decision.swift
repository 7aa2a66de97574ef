/// One choice of a world: its kind, the number of possibilities, and the one that was taken.
///
/// Possibilities are numbered from 0, and 0 is always the dullest: no thread is interrupted, the thread that has waited
/// longest runs, nothing is late, nothing breaks. Shrinking moves towards 0.
public struct Decision: Hashable, Sendable {
    /// The kind of question.
    public let kind: DecisionKind
    /// The number of possibilities.
    public let options: UInt32
    /// The number of the possibility taken, from 0.
    public let taken: UInt32
    /// The place at which the question was asked.
    public let place: Place

    /// Creates a decision.
    ///
    /// - Throws: ``DecisionError`` if there was nothing to choose, or if the possibility is out of range.
    public init(
        _ kind: DecisionKind, options: UInt32, taken: UInt32, at place: Place = Place(site: 0, ordinal: 0)
    ) throws(DecisionError) {
        guard options >= Self.fewestOptions else { throw .noChoice(kind, options: options) }
        guard taken < options else { throw .outOfRange(kind, options: options, taken: taken) }
        (self.kind, self.options, self.taken, self.place) = (kind, options, taken, place)
    }

    /// The fewest possibilities, two: a question with a single answer is not a decision, and has no number.
    public static let fewestOptions: UInt32 = 2

    /// True if the dullest possibility was taken.
    public var isDull: Bool { taken == 0 }

    /// Returns this decision with a smaller answer; unchanged if the given answer is not smaller.
    public func lowered(to taken: UInt32) -> Decision {
        Decision(unchecked: kind, options, min(taken, self.taken), at: place)
    }

    /// Creates a decision whose answer is known to be below the number of options.
    init(unchecked kind: DecisionKind, _ options: UInt32, _ taken: UInt32, at place: Place) {
        (self.kind, self.options, self.taken, self.place) = (kind, options, taken, place)
    }
}

extension Decision: CustomStringConvertible {
    public var description: String { "\(kind.name) \(taken) of \(options)" }
}
