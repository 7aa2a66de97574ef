import WatchConnectivity

/// The watch sets the phone's alarm: by a message, or by a user info where that fails. Each wish has a number, and the highest wins.
enum Alarm: ClientPair {
    static func phone() -> any SessionApp { Phone() }
    static func watch() -> any SessionApp { Watch() }

    private struct Wish: Codable, Equatable {
        var number = 0
        var hour = 0

        init() {}

        init?(_ content: [String: Any]) {
            guard let number = content["number"] as? Int, let hour = content["hour"] as? Int else { return nil }
            (self.number, self.hour) = (number, hour)
        }

        var content: [String: Any] { ["number": number, "hour": hour] }
    }

    private final class Phone: NSObject, SessionApp {
        private let alarm = Document("alarm", Wish())

        private func set(_ content: [String: Any]) {
            guard let wish = Wish(content) else { return }
            alarm.change { if wish.number > $0.number { $0 = wish } }
        }

        func session(
            _ session: WCSession, didReceiveMessage message: [String: Any],
            replyHandler: @escaping ([String: Any]) -> Void
        ) {
            set(message)
            replyHandler([:])
        }

        func session(_ session: WCSession, didReceiveUserInfo userInfo: [String: Any] = [:]) { set(userInfo) }
    }

    private final class Watch: NSObject, SessionApp {
        private let wished = Document("wished", Wish())

        override init() {
            super.init()
            for turn in 1...30 { Day.at(60 + Double(turn) * 20) { self.set(turn % 24) } }
            Day.atEnd { self.judge() }
        }

        /// What was wished when the app was ended may not have been sent.
        func activated() {
            if wished.value.number > 0 { session.transferUserInfo(wished.value.content) }
        }

        private func set(_ hour: Int) {
            wished.change { wish in
                wish.number += 1
                wish.hour = hour
            }
            let content = wished.value.content
            guard session.activationState == .activated else { return }
            session.sendMessage(
                content, replyHandler: { _ in },
                errorHandler: { _ in
                    DispatchQueue.main.async { self.session.transferUserInfo(content) }
                })
        }

        private func judge() {
            guard session.outstandingUserInfoTransfers.isEmpty else { return }
            let alarm = Document("alarm", of: .phone, Wish()).value
            if alarm != wished.value { Finding.tell("the alarm is at \(alarm.hour) and not at \(wished.value.hour)") }
        }
    }
}
