import WatchConnectivity

/// The watch tells the phone its heart rate. The flaw: what fails is sent again at once, for as long as the phone is away.
enum EndlessRetry: ClientPair {
    static func phone() -> any SessionApp { Phone() }
    static func watch() -> any SessionApp { Watch() }

    private final class Phone: NSObject, SessionApp {
        func session(_ session: WCSession, didReceiveMessage message: [String: Any]) {}
    }

    private final class Watch: NSObject, SessionApp {
        override init() {
            super.init()
            for minute in 1...30 { Day.at(Double(minute) * 60) { self.tell(Int.random(in: 50...150)) } }
        }

        private func tell(_ rate: Int) {
            session.sendMessage(["rate": rate], replyHandler: nil, errorHandler: { _ in self.tell(rate) })
        }
    }
}
