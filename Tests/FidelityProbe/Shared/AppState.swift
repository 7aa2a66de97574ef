import Foundation

/// Whether the app is in the background, as the system tells it.
///
/// Unchecked: its state is guarded by the lock.
final class AppState: @unchecked Sendable {
    private let lock = NSLock()
    private var isBehind = false
    private var observers: [any NSObjectProtocol] = []

    var isInBackground: Bool {
        lock.lock()
        defer { lock.unlock() }
        return isBehind
    }

    init(_ side: Side) {
        // By their names, which need no module that only one of the platforms has.
        let app = side == .phone ? "UIApplication" : "WKApplication"
        for (event, isBehind) in [("DidEnterBackground", true), ("WillEnterForeground", false)] {
            observers.append(
                NotificationCenter.default.addObserver(
                    forName: Notification.Name("\(app)\(event)Notification"), object: nil, queue: nil
                ) { [weak self] _ in self?.change(isBehind) })
        }
    }

    private func change(_ isBehind: Bool) {
        lock.lock()
        self.isBehind = isBehind
        lock.unlock()
    }
}
