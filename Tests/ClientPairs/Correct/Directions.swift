import WatchConnectivity

/// The watch asks the phone for directions, as an async call with a time-out of its own; whatever comes first ends the call, and nothing else.
enum Directions: ClientPair {
    static func phone() -> any SessionApp { Phone() }
    static func watch() -> any SessionApp { Watch() }

    private final class Phone: NSObject, SessionApp {
        func session(
            _ session: WCSession, didReceiveMessage message: [String: Any],
            replyHandler: @escaping ([String: Any]) -> Void
        ) {
            Task {
                await Server.ask(100...7_000)
                replyHandler(["turn": "left"])
            }
        }
    }

    /// A call that ends once.
    private final class Call: Sendable {
        private let lock = NSLock()
        private nonisolated(unsafe) var continuation: CheckedContinuation<String?, Never>?  // Used within the lock.

        init(_ continuation: CheckedContinuation<String?, Never>) { self.continuation = continuation }

        func end(_ turn: String?) {
            let continuation = lock.withLock {
                defer { self.continuation = nil }
                return self.continuation
            }
            continuation?.resume(returning: turn)
        }
    }

    private final class Watch: NSObject, SessionApp {
        private var open = 0

        override init() {
            super.init()
            for corner in 1...6 {
                Day.at(Double(corner) * 80) {
                    Task { @MainActor in
                        self.open += 1
                        print(await self.turn(at: corner) ?? "straight on")
                        self.open -= 1
                    }
                }
            }
            Day.atEnd {
                if self.open != 0 { Finding.tell("\(self.open) calls have not ended") }
            }
        }

        private func turn(at corner: Int) async -> String? {
            await withCheckedContinuation { continuation in
                let call = Call(continuation)
                session.sendMessage(["corner": corner]) { reply in
                    call.end(reply["turn"] as? String)
                } errorHandler: { _ in
                    call.end(nil)
                }
                DispatchQueue.main.asyncAfter(deadline: .now() + 5) { call.end(nil) }
            }
        }
    }
}
