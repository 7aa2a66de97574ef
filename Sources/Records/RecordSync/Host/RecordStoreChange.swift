public import Foundation
public import RecordStorage

/// The changes of a host's database in one commit.
public final class RecordStoreChange: Sendable {
    /// A new record.
    public struct Inserted: Sendable, Equatable {
        /// Its sequence number.
        public let sequence: Int64
        /// The record.
        public let record: Record
        /// The time of arrival.
        public let receivedAt: Date
    }

    /// The new records.
    public let inserted: [Inserted]
    /// The new content of changed records.
    public let updated: [Record]
    /// The keys of deleted records.
    public let deleted: [RecordKey]

    init(inserted: [Inserted] = [], updated: [Record] = [], deleted: [RecordKey] = []) {
        self.inserted = inserted
        self.updated = updated
        self.deleted = deleted
    }
}
