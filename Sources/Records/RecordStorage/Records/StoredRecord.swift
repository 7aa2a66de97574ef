public import Foundation

/// A stored record.
public struct StoredRecord: Sendable, Equatable {
    /// The position among the records of the store: a reader that continues after it misses none.
    public let cursor: RecordCursor
    /// The sequence number in the order in which its host stored it: ascending, with gaps, never reused. The hosts of a
    /// shared store count separately.
    public let sequence: Int64
    /// The record.
    public let record: Record
    /// The time of arrival.
    public let receivedAt: Date
    /// The time of the last change on a host; nil if it was never changed.
    public let updatedAt: Date?

    /// Creates a stored record.
    public init(cursor: RecordCursor, sequence: Int64, record: Record, receivedAt: Date, updatedAt: Date?) {
        self.cursor = cursor
        self.sequence = sequence
        self.record = record
        self.receivedAt = receivedAt
        self.updatedAt = updatedAt
    }
}
