public import Foundation
import Locking
public import RecordStorage

/// A store that reports its changes after they are durable. All access to a host's database goes through it: a
/// ``StoreObserver`` sees a change before the method that made it returns, so that code notified of the change gets
/// current values.
public final class ObservedRecordStore: RecordStore, NotificationPosting {
    private let store: any RecordStore
    /// The number of changes.
    let version = SharedCount()

    /// Wraps a store.
    public init(_ store: any RecordStore) { self.store = store }

    /// The kind of the records.
    public var kind: RecordKind { store.kind }

    /// Stores records as `RecordStore.insert(_:)` does, and reports those that are new.
    public func insert(_ arrivals: [RecordArrival]) throws(StoreError) -> [InsertOutcome] {
        let outcomes = try store.insert(arrivals)
        let inserted = zip(arrivals, outcomes).compactMap { arrival, outcome -> RecordStoreChange.Inserted? in
            guard case .stored(let sequence) = outcome else { return nil }
            return RecordStoreChange.Inserted(
                sequence: sequence, record: arrival.record, receivedAt: arrival.receivedAt)
        }
        if !inserted.isEmpty { tell(RecordStoreChange(inserted: inserted)) }
        return outcomes
    }

    /// Returns the archive of a record as received.
    public func receivedArchive(_ key: RecordKey) throws(StoreError) -> Data? { try store.receivedArchive(key) }

    /// Replaces the content of a record, and reports the change.
    public func update(_ record: Record, updatedAt: Date) throws(StoreError) -> Bool {
        let isUpdated = try store.update(record, updatedAt: updatedAt)
        if isUpdated { tell(RecordStoreChange(updated: [record])) }
        return isUpdated
    }

    /// Deletes a record, and reports the change.
    public func delete(_ key: RecordKey, deletedAt: Date) throws(StoreError) -> Bool {
        let isDeleted = try store.delete(key, deletedAt: deletedAt)
        if isDeleted { tell(RecordStoreChange(deleted: [key])) }
        return isDeleted
    }

    /// Deletes records that were deleted elsewhere, and reports the change.
    public func delete(_ deletions: [RecordDeletion]) throws(StoreError) -> Int {
        let new = try store.delete(deletions)
        if new > 0 { tell(RecordStoreChange(deleted: deletions.map(\.key))) }
        return new
    }

    /// Returns a page of traces of deleted records.
    public func deletions(after key: RecordKey?, limit: Int) throws(StoreError) -> [RecordDeletion] {
        try store.deletions(after: key, limit: limit)
    }

    /// Returns the states of records.
    public func states(of keys: [RecordKey]) throws(StoreError) -> [RecordState] { try store.states(of: keys) }

    /// Deletes the oldest records, and reports the change.
    public func expire(
        receivedBefore time: Date?, keeping count: Int?, limit: Int
    ) throws(StoreError) -> [RecordKey] {
        let expired = try store.expire(receivedBefore: time, keeping: count, limit: limit)
        if !expired.isEmpty { tell(RecordStoreChange(deleted: expired)) }
        return expired
    }

    /// Returns the records with an identifier.
    public func records(identifier: UUID) throws(StoreError) -> [StoredRecord] {
        try store.records(identifier: identifier)
    }

    /// Returns a page of records in the order of the store.
    public func records(after cursor: RecordCursor, limit: Int) throws(StoreError) -> [StoredRecord] {
        try store.records(after: cursor, limit: limit)
    }

    /// Returns the latest records, the newest first.
    public func latestRecords(limit: Int) throws(StoreError) -> [StoredRecord] {
        try store.latestRecords(limit: limit)
    }

    /// Returns the number of records.
    public func count() throws(StoreError) -> Int { try store.count() }

    /// Returns the number of records, and of those that arrived before a time.
    public func ages(before time: Date) throws(StoreError) -> RecordAges { try store.ages(before: time) }

    /// True if the store keeps the files of records.
    public var keepsFiles: Bool { store.keepsFiles }

    /// Keeps a file for a record that follows.
    @discardableResult
    public func keep(_ content: Data, at time: Date) throws(StoreError) -> Data { try store.keep(content, at: time) }

    /// Returns those of some files that are here, and keeps them for a day.
    public func claim(_ files: Set<Data>, at time: Date) throws(StoreError) -> Set<Data> {
        try store.claim(files, at: time)
    }

    /// Returns the content of a file; nil if it is not here.
    public func content(of file: Data) throws(StoreError) -> Data? { try store.content(of: file) }

    /// Removes the files that have waited for their records for too long.
    @discardableResult
    public func removeUnclaimedFiles(at time: Date) throws(StoreError) -> Int {
        try store.removeUnclaimedFiles(at: time)
    }

    /// Checks that the store can be used.
    public func look() throws(StoreError) { try store.look() }

    /// Closes the store.
    public func close() { store.close() }

    private func tell(_ change: RecordStoreChange) {
        version.add(1)
        post(.storeDidChange(of: kind), object: change)
    }
}
