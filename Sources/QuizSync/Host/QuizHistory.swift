import Foundation
import Locking
public import Storage

/// A host's latest quizzes: an observer of ``Foundation/NSNotification/Name/quizStoreDidChange``.
public final class QuizHistory: Sendable {
    /// Quizzes that are kept at hand.
    public static let capacity = 100

    private let store: any QuizStore
    private let quizzes: Mutex<[StoredQuiz]>
    private let observer = Mutex<NotificationObserver?>(nil)

    /// Starts with what the database holds.
    public init(_ store: any QuizStore) throws(DatabaseError) {
        self.store = store
        quizzes = Mutex(try store.latestQuizzes(limit: Self.capacity))
        let token = NotificationObserver(.quizStoreDidChange) { [weak self] notification in
            guard let change = notification.object as? QuizStoreChange else { return }
            self?.apply(change)
        }
        observer.withLock { $0 = token }
    }

    /// The newest first.
    public var latest: [StoredQuiz] { quizzes.withLock { $0 } }

    private func apply(_ change: QuizStoreChange) {
        guard change.updated.isEmpty, change.deleted.isEmpty else { return reload() }
        quizzes.withLock { quizzes in
            quizzes = Array((change.inserted.reversed() + quizzes).prefix(Self.capacity))
        }
    }

    /// Changes and removals are a person's, and rare: reading again is simplest, and cannot go wrong.
    private func reload() {
        // A database that fails now keeps the last good list; the failure itself is logged where quizzes are stored.
        guard let latest = try? store.latestQuizzes(limit: Self.capacity) else { return }
        quizzes.withLock { $0 = latest }
    }
}
