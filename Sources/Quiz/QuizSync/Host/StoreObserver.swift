import Foundation
import Locking
public import QuizStorage
public import Storage

/// Something that is known of a host's database and follows its changes.
///
/// It is read again when it is asked for after a change, so that it agrees with the database always: after a restart, after
/// a change that ran beside another, and after one that failed.
public final class StoreObserver<Value: Sendable>: Sendable {
    private let store: ObservedQuizStore
    private let read: @Sendable (any QuizStore) throws(DatabaseError) -> Value
    /// What was read, and the version of the database then.
    private let known = Mutex<(version: Int, value: Value)?>(nil)

    init(
        _ store: ObservedQuizStore, read: @escaping @Sendable (any QuizStore) throws(DatabaseError) -> Value
    ) {
        self.store = store
        self.read = read
    }

    public func value() throws(DatabaseError) -> Value {
        try known.withLock { known throws(DatabaseError) in
            // Asked for first: what changes while it is read is read again.
            let version = store.version.value
            if let known, known.version == version { return known.value }
            let value = try read(store)
            known = (version, value)
            return value
        }
    }
}

extension StoreObserver<Int> {
    /// The running count of a host's quizzes.
    public static func count(of store: ObservedQuizStore) -> StoreObserver<Int> {
        StoreObserver(store) { store throws(DatabaseError) in try store.count() }
    }
}

extension StoreObserver<[StoredQuiz]> {
    /// Quizzes that a history holds. 100: what a person looks through.
    public static var historyLength: Int { 100 }

    /// A host's latest quizzes, the newest first.
    public static func history(of store: ObservedQuizStore) -> StoreObserver<[StoredQuiz]> {
        StoreObserver(store) { store throws(DatabaseError) in try store.latestQuizzes(limit: historyLength) }
    }
}
