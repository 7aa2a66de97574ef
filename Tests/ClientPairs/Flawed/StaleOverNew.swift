import WatchConnectivity

/// The watch sets the phone's alarm: by a message, or by a user info where the phone cannot be reached. The flaw: what comes last wins, and a
/// user info may come after a message that is newer.
enum StaleOverNew: ClientPair {
    static func phone() -> any SessionApp { Phone() }
    static func watch() -> any SessionApp { Watch() }

    private final class Phone: NSObject, SessionApp {
        private let alarm = Document("alarm", 0)

        private func set(_ content: [String: Any]) {
            if let hour = content["alarm"] as? Int { alarm.keep(hour) }
        }

        func session(_ session: WCSession, didReceiveMessage message: [String: Any]) { set(message) }

        func session(_ session: WCSession, didReceiveUserInfo userInfo: [String: Any] = [:]) { set(userInfo) }
    }

    private final class Watch: NSObject, SessionApp {
        private let wished = Document("wished", 0)

        override init() {
            super.init()
            for turn in 1...60 { Day.at(60 + Double(turn) * 10) { self.set(turn) } }
            Day.atEnd {
                let alarm = Document("alarm", of: .phone, 0).value
                if alarm != self.wished.value {
                    Finding.tell("the alarm is at \(alarm) and not at \(self.wished.value)")
                }
            }
        }

        private func set(_ hour: Int) {
            wished.keep(hour)
            let content: [String: Any] = ["alarm": hour]
            guard session.isReachable else {
                session.transferUserInfo(content)
                return
            }
            session.sendMessage(content, replyHandler: nil) { _ in
                self.session.transferUserInfo(content)
            }
        }
    }
}
