public import Foundation

/// The number of records, and of those that arrived before some time.
public struct RecordAges: Equatable, Sendable {
    /// The number of all records.
    public let total: Int
    /// The number of records that arrived before the time.
    public let older: Int
    /// The time of the latest arrival; nil if there are no records.
    public let newest: Date?

    /// Creates the numbers.
    public init(total: Int, older: Int, newest: Date?) {
        self.total = total
        self.older = older
        self.newest = newest
    }
}
