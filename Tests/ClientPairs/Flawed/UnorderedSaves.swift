import WatchConnectivity

/// The phone keeps the watch's latest level of a game. The flaw: each level is saved by a job of a concurrent queue, and the jobs may overtake each
/// other.
enum UnorderedSaves: ClientPair {
    static func phone() -> any SessionApp { Phone() }
    static func watch() -> any SessionApp { Watch() }

    private final class Phone: NSObject, SessionApp {
        private let level = Document("level", 0)

        func session(_ session: WCSession, didReceiveUserInfo userInfo: [String: Any] = [:]) {
            guard let reached = userInfo["level"] as? Int else { return }
            DispatchQueue.global(qos: .utility).async { self.level.keep(reached) }
        }
    }

    private final class Watch: NSObject, SessionApp {
        private let reached = Document("reached", 0)

        override init() {
            super.init()
            for step in 1...5 {
                Day.at(Double(step) * 100) {
                    self.reach(step * 2 - 1)
                    self.reach(step * 2)
                }
            }
            for step in 1...5 { Day.at(Double(step) * 100 + 90) { self.look() } }
        }

        private func reach(_ level: Int) {
            session.transferUserInfo(["level": level])
            reached.keep(level)
        }

        private func look() {
            guard session.outstandingUserInfoTransfers.isEmpty else { return }
            let level = Document("level", of: .phone, 0).value
            if level < reached.value { Finding.tell("the phone has level \(level) of \(reached.value)") }
        }
    }
}
