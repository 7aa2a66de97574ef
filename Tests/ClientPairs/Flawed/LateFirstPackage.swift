import WatchConnectivity

/// The watch starts a workout on the phone, and tells it each lap. The flaw: the phone has the workout in memory alone, and takes it for granted
/// that a start came before a lap.
enum LateFirstPackage: ClientPair {
    static func phone() -> any SessionApp { Phone() }
    static func watch() -> any SessionApp { Watch() }

    private final class Phone: NSObject, SessionApp {
        private var laps: [Int]!

        func session(_ session: WCSession, didReceiveMessage message: [String: Any]) {
            DispatchQueue.main.async {
                if message["start"] != nil { self.laps = [] }
                if let lap = message["lap"] as? Int { self.laps.append(lap) }
            }
        }
    }

    private final class Watch: NSObject, SessionApp {
        override init() {
            super.init()
            Day.at(60) { self.tell(["start": "running"]) }
            for lap in 1...15 { Day.at(60 + Double(lap) * 30) { self.tell(["lap": lap]) } }
        }

        private func tell(_ message: [String: Any]) {
            session.sendMessage(message, replyHandler: nil) { error in
                print("not told: \(error.localizedDescription)")
            }
        }
    }
}
