import Foundation

/// Tells of a main queue that does not go on, as a system's watchdog would.
final class Watchdog: Sendable {
    /// A user has long given up.
    private static let patience: DispatchTimeInterval = .seconds(60)

    func begin() {
        DispatchQueue.global().asyncAfter(deadline: .now() + Self.patience) { self.look() }
    }

    private func look() {
        let isAlive = DispatchSemaphore(value: 0)
        DispatchQueue.main.async { isAlive.signal() }
        guard isAlive.wait(timeout: .now() + Self.patience) == .success else {
            return Finding.tell("the main queue has not gone on for a minute")
        }
        begin()
    }
}
