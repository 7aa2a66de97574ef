import WatchConnectivity

/// The watch shows boarding passes that the phone has. The flaw: a phone that was just launched has none in memory and says nothing at all, and
/// the watch's button waits for it.
enum DroppedReply: ClientPair {
    static func phone() -> any SessionApp { Phone() }
    static func watch() -> any SessionApp { Watch() }

    private final class Phone: NSObject, SessionApp {
        private var passes: [Int: String] = [:]

        override init() {
            super.init()
            Task {
                await Server.ask(20_000...40_000)
                DispatchQueue.main.async { self.passes = [1: "HAM-MUC", 2: "MUC-HAM"] }
            }
        }

        func session(
            _ session: WCSession, didReceiveMessage message: [String: Any],
            replyHandler: @escaping ([String: Any]) -> Void
        ) {
            DispatchQueue.main.async {
                guard let flight = message["flight"] as? Int, let pass = self.passes[flight] else { return }
                replyHandler(["pass": pass])
            }
        }
    }

    private final class Watch: NSObject, SessionApp {
        private var isAsking = false

        override init() {
            super.init()
            for tap in 1...20 { Day.at(60 + Double(tap) * 30) { self.show(1 + tap % 2) } }
            Day.atEnd {
                if self.isAsking { Finding.tell("the button with the boarding pass can never be used again") }
            }
        }

        private func show(_ flight: Int) {
            guard !isAsking else { return }
            isAsking = true
            session.sendMessage(["flight": flight]) { reply in
                DispatchQueue.main.async {
                    self.isAsking = false
                    print(reply["pass"] ?? "no pass")
                }
            } errorHandler: { error in
                print("no pass: \(error.localizedDescription)")
            }
        }
    }
}
