import WatchConnectivity

/// The watch asks for the weather, and shows messages of the phone. The flaw: its main queue waits for a reply, and its delegate for the main
/// queue.
enum DeadLock: ClientPair {
    static func phone() -> any SessionApp { Phone() }
    static func watch() -> any SessionApp { Watch() }

    private final class Phone: NSObject, SessionApp {
        override init() {
            super.init()
            for _ in 1...5 {
                Day.at(Double.random(in: 60...600)) {
                    self.session.sendMessage(["text": "on my way"], replyHandler: nil) { _ in }
                }
            }
        }

        func session(
            _ session: WCSession, didReceiveMessage message: [String: Any],
            replyHandler: @escaping ([String: Any]) -> Void
        ) {
            Task {
                await Server.ask(100...800)
                replyHandler(["weather": "rain"])
            }
        }
    }

    private final class Watch: NSObject, SessionApp {
        private var texts: [String] = []

        override init() {
            super.init()
            for look in 1...6 { Day.at(Double(look) * 90) { self.showWeather() } }
        }

        private func showWeather() {
            let isDone = DispatchSemaphore(value: 0)
            session.sendMessage(["ask": "weather"]) { reply in
                print(reply["weather"] ?? "no weather")
                isDone.signal()
            } errorHandler: { _ in
                isDone.signal()
            }
            isDone.wait()
        }

        func session(_ session: WCSession, didReceiveMessage message: [String: Any]) {
            DispatchQueue.main.sync { texts.append(message["text"] as? String ?? "") }
        }
    }
}
