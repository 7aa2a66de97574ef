import WatchConnectivity

/// The watch controls the phone's player. The flaw: each command is a context, of which the next one replaces the last.
enum CoalescedCommands: ClientPair {
    static func phone() -> any SessionApp { Phone() }
    static func watch() -> any SessionApp { Watch() }

    private final class Phone: NSObject, SessionApp {
        private let skipped = Document("skipped", 0)

        func session(_ session: WCSession, didReceiveApplicationContext applicationContext: [String: Any]) {
            if applicationContext["command"] as? String == "skip" { skipped.change { $0 += 1 } }
        }
    }

    private final class Watch: NSObject, SessionApp {
        private let taps = Document("taps", 0)

        override init() {
            super.init()
            for number in 1...20 { Day.at(Double(number) * 25) { self.skip(number) } }
            Day.atEnd {
                let skipped = Document("skipped", of: .phone, 0).value
                if skipped < self.taps.value { Finding.tell("\(skipped) of \(self.taps.value) songs were skipped") }
            }
        }

        private func skip(_ number: Int) {
            do {
                try session.updateApplicationContext(["command": "skip", "number": number])
                taps.change { $0 += 1 }
            } catch {
                print("cannot skip: \(error.localizedDescription)")
            }
        }
    }
}
