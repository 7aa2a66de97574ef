public import Foundation
import Locking
public import QuizStorage
public import Storage

/// A store that reports its changes after they are durable. All access to a host's database goes through it: a
/// ``StoreObserver`` sees a change before the method that made it returns, so that code notified of the change gets
/// current values.
public final class ObservedQuizStore: QuizStore, NotificationPosting {
    private let store: any QuizStore
    /// The number of changes.
    let version = SharedCount()

    /// Wraps a store.
    public init(_ store: any QuizStore) { self.store = store }

    /// Stores quizzes as ``QuizStore/insert(_:)`` does, and reports those that are new.
    public func insert(_ arrivals: [QuizArrival]) throws(DatabaseError) -> [InsertOutcome] {
        let outcomes = try store.insert(arrivals)
        let inserted = zip(arrivals, outcomes).compactMap { arrival, outcome -> StoredQuiz? in
            guard case .stored(let sequence) = outcome else { return nil }
            return StoredQuiz(
                sequence: sequence, content: arrival.quiz, receivedAt: arrival.receivedAt, updatedAt: nil)
        }
        if !inserted.isEmpty { tell(QuizStoreChange(inserted: inserted)) }
        return outcomes
    }

    /// Returns the archive of a quiz as received.
    public func receivedArchive(_ identifier: UUID, device: UUID) throws(DatabaseError) -> Data? {
        try store.receivedArchive(identifier, device: device)
    }

    /// Replaces the content of a quiz, and reports the change.
    public func update(_ quiz: NewQuiz, updatedAt: Date) throws(DatabaseError) -> Bool {
        let isUpdated = try store.update(quiz, updatedAt: updatedAt)
        if isUpdated { tell(QuizStoreChange(updated: [quiz])) }
        return isUpdated
    }

    /// Deletes a quiz, and reports the change.
    public func delete(_ identifier: UUID, device: UUID, deletedAt: Date) throws(DatabaseError) -> Bool {
        let isDeleted = try store.delete(identifier, device: device, deletedAt: deletedAt)
        let key = QuizKey(identifier: identifier, device: device)
        if isDeleted { tell(QuizStoreChange(deleted: [key])) }
        return isDeleted
    }

    /// Deletes the oldest quizzes, and reports the change.
    public func expire(
        receivedBefore time: Date?, keeping count: Int?, limit: Int
    ) throws(DatabaseError) -> [(identifier: UUID, device: UUID)] {
        let expired = try store.expire(receivedBefore: time, keeping: count, limit: limit)
        let keys = expired.map { QuizKey(identifier: $0.identifier, device: $0.device) }
        if !keys.isEmpty { tell(QuizStoreChange(deleted: keys)) }
        return expired
    }

    /// Returns the quizzes with an identifier.
    public func quizzes(identifier: UUID) throws(DatabaseError) -> [StoredQuiz] {
        try store.quizzes(identifier: identifier)
    }

    /// Returns a page of quizzes in the order of arrival.
    public func quizzes(after sequence: Int64, limit: Int) throws(DatabaseError) -> [StoredQuiz] {
        try store.quizzes(after: sequence, limit: limit)
    }

    /// Returns the latest quizzes, the newest first.
    public func latestQuizzes(limit: Int) throws(DatabaseError) -> [StoredQuiz] {
        try store.latestQuizzes(limit: limit)
    }

    /// Returns the number of quizzes.
    public func count() throws(DatabaseError) -> Int { try store.count() }

    private func tell(_ change: QuizStoreChange) {
        version.add(1)
        post(.quizStoreDidChange, object: change)
    }
}
