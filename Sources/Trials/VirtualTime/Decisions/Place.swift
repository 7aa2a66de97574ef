/// The place at which a question is asked. It is the same in every world that asks the question, whatever was decided
/// elsewhere.
///
/// The number of a decision shifts with everything that happens before it. Shrinking removes most of that, and the
/// remaining decisions must still answer the same questions.
public struct Place: Hashable, Sendable {
    /// A hash of the question: of the thread, the call and the tenth of a second for the scheduler's questions, of the
    /// subject for others.
    public let site: UInt64
    /// The number of times the question was asked there before.
    public let ordinal: UInt32

    /// Creates a place.
    public init(site: UInt64, ordinal: UInt32) { (self.site, self.ordinal) = (site, ordinal) }
}

extension Place: Comparable {
    /// Orders places as a world looks them up.
    public static func < (left: Place, right: Place) -> Bool {
        (left.site, left.ordinal) < (right.site, right.ordinal)
    }
}
