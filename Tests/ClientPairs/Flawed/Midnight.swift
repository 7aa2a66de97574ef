import WatchConnectivity

/// The watch counts glasses of water, the phone keeps them by day. The flaw: the watch sends what it counted half a minute later, without a
/// date, and the phone takes the day on which it comes.
enum Midnight: ClientPair {
    static func phone() -> any SessionApp { Phone() }
    static func watch() -> any SessionApp { Watch() }

    /// Of a calendar in which midnight comes after ten minutes, so that nobody needs to wait for a day.
    private static func day(of date: Date) -> Int {
        Int(((date.timeIntervalSince1970 - 600) / 86_400).rounded(.down))
    }

    private final class Phone: NSObject, SessionApp {
        private let glasses = Document<[Int: Int]>("glasses", [:])

        func session(_ session: WCSession, didReceiveUserInfo userInfo: [String: Any] = [:]) {
            guard let count = userInfo["glasses"] as? Int else { return }
            glasses.change { $0[day(of: .now), default: 0] += count }
        }
    }

    private final class Watch: NSObject, SessionApp {
        private let drunk = Document<[Int: Int]>("drunk", [:])
        private var unsent = 0

        override init() {
            super.init()
            for _ in 1...6 { Day.at(Double.random(in: 60...1_150)) { self.drink() } }
            Day.atEnd {
                let kept = Document<[Int: Int]>("glasses", of: .phone, [:]).value
                for (day, count) in kept where count > self.drunk.value[day, default: 0] {
                    Finding.tell("the phone has \(count) glasses of a day with \(self.drunk.value[day, default: 0])")
                }
            }
        }

        private func drink() {
            drunk.change { $0[day(of: .now), default: 0] += 1 }
            unsent += 1
            if unsent == 1 { DispatchQueue.main.asyncAfter(deadline: .now() + 30) { self.send() } }
        }

        private func send() {
            session.transferUserInfo(["glasses": unsent])
            unsent = 0
        }
    }
}
