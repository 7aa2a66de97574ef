import WatchConnectivity

/// The watch tells the phone its heart rate. The flaw: what fails is sent again at once, for ever.
enum RetryStorm: ClientPair {
    static func phone() -> any SessionApp { Phone() }
    static func watch() -> any SessionApp { Watch() }

    private final class Phone: NSObject, SessionApp {
        func session(
            _ session: WCSession, didReceiveMessage message: [String: Any],
            replyHandler: @escaping ([String: Any]) -> Void
        ) {
            replyHandler([:])
        }
    }

    private final class Watch: NSObject, SessionApp {
        private var attempts = 0
        /// An hour of honest attempts.
        private static let tooMany = 200

        override init() {
            super.init()
            for minute in 1...10 { Day.at(Double(minute) * 60) { self.tell(Int.random(in: 50...150)) } }
        }

        private func tell(_ rate: Int) {
            attempts += 1
            guard attempts < Self.tooMany else {
                return Finding.tell("heart rates were sent too often: a battery is empty")
            }
            session.sendMessage(
                ["rate": rate], replyHandler: { _ in },
                errorHandler: { _ in
                    DispatchQueue.main.async { self.tell(rate) }
                })
        }
    }
}
