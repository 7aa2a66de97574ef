import Foundation
import QuizSync
import Synchronization

/// Waits for a session's activation: the first end of it, told once.
final class Startup: Sendable {
    struct Failed: Error, CustomStringConvertible {
        let description: String
    }

    private let observer = Mutex<UncheckedToken?>(nil)

    // Proof of `@unchecked Sendable`: the token is only handed back to the notification centre, safe from any thread.
    private struct UncheckedToken: @unchecked Sendable {
        let token: any NSObjectProtocol
    }

    func whenActivated(_ completion: @escaping @Sendable ((any Error)?) -> Void) {
        let token = NotificationCenter.default.addObserver(forName: .activationDidComplete, object: nil, queue: nil) {
            [weak self] notification in
            guard let self, end() else { return }
            completion((notification.userInfo?[NotificationKey.error] as? String).map { Failed(description: $0) })
        }
        let box = UncheckedToken(token: token)
        observer.withLock { $0 = box }
    }

    private func end() -> Bool {
        let token = observer.withLock { observer in
            let token = observer
            observer = nil
            return token
        }
        guard let token else { return false }
        NotificationCenter.default.removeObserver(token.token)
        return true
    }
}
