import Foundation
import WatchConnectivity

/// A phone that counts points and a watch that sends them, as an app's author writes them.
@MainActor
final class PhoneApp: NSObject, WCSessionDelegate {
    static let shared = PhoneApp()
    private(set) var total = 0
    private(set) var deactivations = 0
    /// A careless app forgets what was added while it saved.
    private var isCareless = false

    func start(isCareless: Bool) {
        self.isCareless = isCareless
        WCSession.default.delegate = self
        WCSession.default.activate()
    }

    nonisolated func session(
        _ session: WCSession, activationDidCompleteWith state: WCSessionActivationState, error: (any Error)?
    ) {}

    nonisolated func sessionDidBecomeInactive(_ session: WCSession) {}

    nonisolated func sessionDidDeactivate(_ session: WCSession) {
        Task { @MainActor in deactivations += 1 }
        session.activate()
    }

    nonisolated func session(
        _ session: WCSession, didReceiveMessage message: [String: Any],
        replyHandler: @escaping ([String: Any]) -> Void
    ) {
        let points = message["points"] as? Int ?? 0
        Task { await self.add(points) }
        replyHandler(["ok": true])
    }

    private func add(_ points: Int) async {
        let before = total
        // The file system answers when it likes.
        await Task.detached { _ = usleep(20_000) }.value
        total = (isCareless ? before : total) + points
    }
}

@MainActor
final class WatchApp: NSObject, WCSessionDelegate {
    static let shared = WatchApp()
    private(set) var sent = 0

    func start() {
        WCSession.default.delegate = self
        WCSession.default.activate()
    }

    nonisolated func session(
        _ session: WCSession, activationDidCompleteWith state: WCSessionActivationState, error: (any Error)?
    ) {}

    func finish(_ points: Int) {
        WCSession.default.sendMessage(["points": points]) { @Sendable _ in
            Task { @MainActor in self.sent += points }
        } errorHandler: { @Sendable _ in
        }
    }
}
