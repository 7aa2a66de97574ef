import WatchConnectivity

/// The watch counts steps, the phone adds them up. The flaw: a task for each user info reads the total, waits, and writes the total.
enum LostUpdate: ClientPair {
    static func phone() -> any SessionApp { Phone() }
    static func watch() -> any SessionApp { Watch() }

    private actor Total {
        private let total = Document("total", 0)

        func add(_ steps: Int) async {
            let before = total.value
            await Server.ask(20...60)
            total.keep(before + steps)
        }
    }

    private final class Phone: NSObject, SessionApp {
        private let total = Total()

        func session(_ session: WCSession, didReceiveUserInfo userInfo: [String: Any] = [:]) {
            guard let steps = userInfo["steps"] as? Int else { return }
            Task { await total.add(steps) }
        }
    }

    private final class Watch: NSObject, SessionApp {
        private let walked = Document("walked", 0)

        override init() {
            super.init()
            for walk in 1...10 {
                // Two walks are counted at nearly the same time now and then.
                let moment = Double(walk / 2) * 90 + Double.random(in: 0...2)
                Day.at(60 + moment) { self.finish(walk * 100) }
            }
            Day.atEnd {
                let total = Document("total", of: .phone, 0).value
                if total < self.walked.value { Finding.tell("the phone has \(total) of \(self.walked.value) steps") }
            }
        }

        private func finish(_ steps: Int) {
            session.transferUserInfo(["steps": steps])
            walked.change { $0 += steps }
        }
    }
}
