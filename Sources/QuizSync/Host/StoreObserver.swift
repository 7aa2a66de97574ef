import Foundation
import Locking
public import Storage

/// Something that is known of a host's database and follows its changes: an observer of
/// ``Foundation/NSNotification/Name/quizStoreDidChange``.
///
/// It is read again when it is asked for after a change, so that it agrees with the database always: after a restart, after
/// a change that ran beside another, and after one that failed.
public final class StoreObserver<Value: Sendable>: Sendable {
    private let store: any QuizStore
    private let read: @Sendable (any QuizStore) throws(DatabaseError) -> Value
    /// Nil when the database has changed since it was read.
    private let known = Mutex<Value?>(nil)
    private let observer = Mutex<NotificationObserver?>(nil)

    init(_ store: any QuizStore, read: @escaping @Sendable (any QuizStore) throws(DatabaseError) -> Value) {
        self.store = store
        self.read = read
        let changes = NotificationObserver(.quizStoreDidChange) { [weak self] _ in self?.known.withLock { $0 = nil } }
        observer.withLock { $0 = changes }
    }

    public func value() throws(DatabaseError) -> Value {
        // Read with the lock held: a change that comes meanwhile waits, and makes the value unknown again.
        try known.withLock { known throws(DatabaseError) in
            if let known { return known }
            let value = try read(store)
            known = value
            return value
        }
    }
}

extension StoreObserver<Int> {
    /// The running count of a host's quizzes.
    public static func count(of store: any QuizStore) -> StoreObserver<Int> {
        StoreObserver(store) { store throws(DatabaseError) in try store.count() }
    }
}

extension StoreObserver<[StoredQuiz]> {
    /// Quizzes that a history holds. 100: what a person looks through.
    public static var historyLength: Int { 100 }

    /// A host's latest quizzes, the newest first.
    public static func history(of store: any QuizStore) -> StoreObserver<[StoredQuiz]> {
        StoreObserver(store) { store throws(DatabaseError) in try store.latestQuizzes(limit: historyLength) }
    }
}
