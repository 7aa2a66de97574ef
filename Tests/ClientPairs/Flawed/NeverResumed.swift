import WatchConnectivity

/// The watch fetches messages from the phone in a loop of async calls. The flaw: an error resumes nobody, and the loop never goes on.
enum NeverResumed: ClientPair {
    static func phone() -> any SessionApp { Phone() }
    static func watch() -> any SessionApp { Watch() }

    private final class Phone: NSObject, SessionApp {
        func session(
            _ session: WCSession, didReceiveMessage message: [String: Any],
            replyHandler: @escaping ([String: Any]) -> Void
        ) {
            replyHandler(["messages": ["hello"]])
        }
    }

    private final class Watch: NSObject, SessionApp {
        private var lastRound = Date.now

        override init() {
            super.init()
            Task { @MainActor in
                while true {
                    try await Task.sleep(for: .seconds(60))
                    if session.isReachable { _ = await fetch() }
                    lastRound = .now
                }
            }
            Day.atEnd {
                let minutes = Int(-self.lastRound.timeIntervalSinceNow / 60)
                if minutes > 5 { Finding.tell("no messages for \(minutes) minutes") }
            }
        }

        private func fetch() async -> [String] {
            await withUnsafeContinuation { continuation in
                session.sendMessage(["fetch": true]) { reply in
                    continuation.resume(returning: reply["messages"] as? [String] ?? [])
                } errorHandler: { error in
                    print("cannot fetch: \(error.localizedDescription)")
                }
            }
        }
    }
}
