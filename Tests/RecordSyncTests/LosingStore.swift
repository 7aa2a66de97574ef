import Foundation
import Locking
import RecordStorage

/// A store that does not keep the first files that it gets.
final class LosingStore: RecordStore {
    let store: SQLiteRecordStore
    private let left: Mutex<Int>

    init(_ store: SQLiteRecordStore, losing count: Int) {
        self.store = store
        left = Mutex(count)
    }

    var kind: RecordKind { store.kind }
    var keepsFiles: Bool { store.keepsFiles }

    func keep(_ content: Data, at time: Date) throws(StoreError) -> Data {
        let isLost = left.withLock { left in
            left -= 1
            return left >= 0
        }
        guard !isLost else { throw StoreError(.unavailable, "the disk is full") }
        return try store.keep(content, at: time)
    }

    func claim(_ files: Set<Data>, at time: Date) throws(StoreError) -> Set<Data> { try store.claim(files, at: time) }
    func content(of file: Data) throws(StoreError) -> Data? { try store.content(of: file) }
    func removeUnclaimedFiles(at time: Date) throws(StoreError) -> Int { try store.removeUnclaimedFiles(at: time) }
    func insert(_ arrivals: [RecordArrival]) throws(StoreError) -> [InsertOutcome] { try store.insert(arrivals) }
    func receivedArchive(_ key: RecordKey) throws(StoreError) -> Data? { try store.receivedArchive(key) }
    func update(_ record: Record, updatedAt: Date) throws(StoreError) -> Bool {
        try store.update(record, updatedAt: updatedAt)
    }
    func delete(_ key: RecordKey, deletedAt: Date) throws(StoreError) -> Bool {
        try store.delete(key, deletedAt: deletedAt)
    }
    func expire(receivedBefore time: Date?, keeping count: Int?, limit: Int) throws(StoreError) -> [RecordKey] {
        try store.expire(receivedBefore: time, keeping: count, limit: limit)
    }
    func delete(_ deletions: [RecordDeletion]) throws(StoreError) -> Int { try store.delete(deletions) }
    func deletions(after key: RecordKey?, limit: Int) throws(StoreError) -> [RecordDeletion] {
        try store.deletions(after: key, limit: limit)
    }
    func states(of keys: [RecordKey]) throws(StoreError) -> [RecordState] { try store.states(of: keys) }
    func records(identifier: UUID) throws(StoreError) -> [StoredRecord] { try store.records(identifier: identifier) }
    func records(after cursor: RecordCursor, limit: Int) throws(StoreError) -> [StoredRecord] {
        try store.records(after: cursor, limit: limit)
    }
    func latestRecords(limit: Int) throws(StoreError) -> [StoredRecord] { try store.latestRecords(limit: limit) }
    func count() throws(StoreError) -> Int { try store.count() }
    func ages(before time: Date) throws(StoreError) -> RecordAges { try store.ages(before: time) }
    func look() throws(StoreError) { try store.look() }
    func close() { store.close() }
}
