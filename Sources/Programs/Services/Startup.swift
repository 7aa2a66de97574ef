import Foundation
import Locking
import QuizSync

/// Waits for a session's activation and reports its first completion once.
final class Startup: Sendable {
    struct Failed: Error, CustomStringConvertible {
        let description: String
    }

    private let observer = Mutex<NotificationObserver?>(nil)

    func whenActivated(_ completion: @escaping @Sendable ((any Error)?) -> Void) {
        let activation = NotificationObserver(.activationDidComplete) { [weak self] notification in
            guard let self, end() else { return }
            completion((notification.userInfo?[NotificationKey.error] as? String).map { Failed(description: $0) })
        }
        observer.withLock { $0 = activation }
    }

    /// Stops observing; returns true on the first call.
    private func end() -> Bool {
        let activation = observer.withLock { observer in
            defer { observer = nil }
            return observer
        }
        return activation != nil
    }
}
