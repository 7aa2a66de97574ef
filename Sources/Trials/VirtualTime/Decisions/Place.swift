/// Where a question was asked: it is the same in each world that asks the question, whatever was decided elsewhere.
///
/// The number of a decision moves with everything that happens before it. A course that was made small leaves most of that out, and what is left must
/// still be the answer to the same question.
public struct Place: Hashable, Sendable {
    /// Who asks about what: for the scheduler's questions a thread, a call and a tenth of a second, for others a subject.
    public let site: UInt64
    /// How often it was asked there before.
    public let ordinal: UInt32

    public init(site: UInt64, ordinal: UInt32) { (self.site, self.ordinal) = (site, ordinal) }
}

extension Place: Comparable {
    /// The order in which a world looks for what is given.
    public static func < (left: Place, right: Place) -> Bool {
        (left.site, left.ordinal) < (right.site, right.ordinal)
    }
}
