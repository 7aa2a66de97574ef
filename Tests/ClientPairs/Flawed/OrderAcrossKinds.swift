import WatchConnectivity

/// The phone sends a plan as context and starts it by a message. The flaw: the watch takes it for granted that the context is there first.
enum OrderAcrossKinds: ClientPair {
    static func phone() -> any SessionApp { Phone() }
    static func watch() -> any SessionApp { Watch() }

    private final class Phone: NSObject, SessionApp {
        override init() {
            super.init()
            for plan in 1...5 { Day.at(Double(plan) * 100) { self.start(plan) } }
        }

        private func start(_ plan: Int) {
            do {
                try session.updateApplicationContext(["plan": plan, "intervals": [30, 60, 30]])
                session.sendMessage(["start": plan], replyHandler: nil) { _ in }
            } catch {
                print("not started: \(error.localizedDescription)")
            }
        }
    }

    private final class Watch: NSObject, SessionApp {
        func session(_ session: WCSession, didReceiveMessage message: [String: Any]) {
            guard let started = message["start"] as? Int else { return }
            let plan = session.receivedApplicationContext["plan"] as? Int
            if plan != started { Finding.tell("plan \(started) is started, and the watch has \(plan ?? 0)") }
        }
    }
}
