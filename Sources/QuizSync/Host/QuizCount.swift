import Foundation
import Locking
public import Storage

/// The running count of a host's quizzes: an observer of ``Foundation/NSNotification/Name/quizStoreDidChange``.
public final class QuizCount: Sendable {
    private let count: Mutex<Int>
    private let observer = Mutex<NotificationObserver?>(nil)

    /// Starts at what the database holds.
    public init(_ store: any QuizStore) throws(DatabaseError) {
        count = Mutex(try store.count())
        let token = NotificationObserver(.quizStoreDidChange) { [weak self] notification in
            guard let change = notification.object as? QuizStoreChange else { return }
            self?.count.withLock { $0 += change.inserted.count - change.deleted.count }
        }
        observer.withLock { $0 = token }
    }

    public var value: Int { count.withLock { $0 } }
}
