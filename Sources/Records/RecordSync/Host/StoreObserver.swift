import Foundation
import Locking
public import RecordStorage

/// A value derived from a host's database that follows its changes.
///
/// It is read again on the first access after a change, so that it always agrees with the database: after a restart,
/// after a concurrent change, and after one that failed.
public final class StoreObserver<Value: Sendable>: Sendable {
    private let store: ObservedRecordStore
    private let read: @Sendable (any RecordStore) throws(StoreError) -> Value
    /// The cached value, and the version of the database when it was read.
    private let known = Mutex<(version: Int, value: Value)?>(nil)

    init(
        _ store: ObservedRecordStore, read: @escaping @Sendable (any RecordStore) throws(StoreError) -> Value
    ) {
        self.store = store
        self.read = read
    }

    /// Returns the current value. Throws `StoreError` if it cannot be read.
    public func value() throws(StoreError) -> Value {
        try known.withLock { known throws(StoreError) in
            // The version is read first: a change during the read causes another one.
            let version = store.version.value
            if let known, known.version == version { return known.value }
            let value = try read(store)
            known = (version, value)
            return value
        }
    }
}

extension StoreObserver<Int> {
    /// Returns an observer of the number of a host's payloads.
    public static func count(of store: ObservedRecordStore) -> StoreObserver<Int> {
        StoreObserver(store) { store throws(StoreError) in try store.count() }
    }
}

extension StoreObserver<[StoredRecord]> {
    /// The number of payloads in a history. 100: as many as a person looks through.
    public static var historyLength: Int { 100 }

    /// Returns an observer of a host's latest payloads, the newest first.
    public static func history(of store: ObservedRecordStore) -> StoreObserver<[StoredRecord]> {
        StoreObserver(store) { store throws(StoreError) in try store.latestRecords(limit: historyLength) }
    }
}
