import WatchConnectivity

/// The watch counts glasses of water by the day on which they were drunk, and tells the phone each day's count, which only grows.
enum Water: ClientPair {
    static func phone() -> any SessionApp { Phone() }
    static func watch() -> any SessionApp { Watch() }

    /// Of a calendar in which midnight comes after ten minutes, so that nobody needs to wait for a day.
    private static func day(of date: Date) -> Int {
        Int(((date.timeIntervalSince1970 - 600) / 86_400).rounded(.down))
    }

    private final class Phone: NSObject, SessionApp {
        private let glasses = Document<[Int: Int]>("glasses", [:])

        func session(_ session: WCSession, didReceiveUserInfo userInfo: [String: Any] = [:]) {
            guard let day = userInfo["day"] as? Int, let count = userInfo["glasses"] as? Int else { return }
            glasses.change { $0[day] = max($0[day, default: 0], count) }
        }
    }

    private final class Watch: NSObject, SessionApp {
        private let drunk = Document<[Int: Int]>("drunk", [:])
        private var unsent: Set<Int> = []

        override init() {
            super.init()
            for _ in 1...6 { Day.at(Double.random(in: 60...1_150)) { self.drink() } }
            Day.atEnd { self.judge() }
        }

        /// A glass may have been drunk just before the app was ended.
        func activated() { send(Set(drunk.value.keys)) }

        private func drink() {
            let today = day(of: .now)
            drunk.change { $0[today, default: 0] += 1 }
            if unsent.isEmpty {
                DispatchQueue.main.asyncAfter(deadline: .now() + 30) {
                    self.send(self.unsent)
                    self.unsent = []
                }
            }
            unsent.insert(today)
        }

        private func send(_ days: Set<Int>) {
            for day in days.sorted() {
                session.transferUserInfo(["day": day, "glasses": drunk.value[day, default: 0]])
            }
        }

        private func judge() {
            guard session.outstandingUserInfoTransfers.isEmpty else { return }
            let kept = Document<[Int: Int]>("glasses", of: .phone, [:]).value
            if kept != drunk.value { Finding.tell("the phone has \(kept), the watch \(drunk.value)") }
        }
    }
}
