import WatchConnectivity

/// The watch sends expenses to the phone. The flaw: it looks whether the phone can be reached, and never hears that a message failed.
enum UnheardFailure: ClientPair {
    static func phone() -> any SessionApp { Phone() }
    static func watch() -> any SessionApp { Watch() }

    private final class Phone: NSObject, SessionApp {
        private let cents = Document("cents", 0)

        func session(_ session: WCSession, didReceiveMessage message: [String: Any]) {
            guard let amount = message["cents"] as? Int else { return }
            cents.change { $0 += amount }
        }
    }

    private final class Watch: NSObject, SessionApp {
        private let spent = Document("spent", 0)
        private var waiting: [Int] = []

        override init() {
            super.init()
            for number in 1...18 { Day.at(Double(number) * 30) { self.spend(number * 95) } }
            Day.atEnd {
                let booked = Document("cents", of: .phone, 0).value + self.waiting.reduce(0, +)
                if booked < self.spent.value { Finding.tell("of \(self.spent.value) cents \(booked) are booked") }
            }
        }

        private func spend(_ cents: Int) {
            spent.change { $0 += cents }
            waiting.append(cents)
            sendWaiting()
        }

        private func sendWaiting() {
            guard session.isReachable else { return }
            for cents in waiting { session.sendMessage(["cents": cents], replyHandler: nil) }
            waiting = []
        }

        func sessionReachabilityDidChange(_ session: WCSession) {
            DispatchQueue.main.async { self.sendWaiting() }
        }
    }
}
