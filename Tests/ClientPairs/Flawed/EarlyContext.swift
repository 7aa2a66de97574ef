import WatchConnectivity

/// The phone sets the goal of a day, the watch shows it. The flaw: the watch reads the received context before the session is activated, and
/// takes the usual goal where it finds none.
enum EarlyContext: ClientPair {
    static func phone() -> any SessionApp { Phone() }
    static func watch() -> any SessionApp { Watch() }

    private static let usual = 8_000

    private final class Phone: NSObject, SessionApp {
        private let goal = Document("goal", usual)

        override init() {
            super.init()
            for hundreds in 1...3 { Day.at(Double(hundreds) * 100) { self.set(10_000 + hundreds * 100) } }
        }

        private func set(_ steps: Int) {
            do {
                try session.updateApplicationContext(["goal": steps])
                goal.keep(steps)
            } catch {
                print("the goal stays as it is: \(error.localizedDescription)")
            }
        }
    }

    private final class Watch: NSObject, SessionApp {
        private var shown = usual

        func launch() {
            session.delegate = self
            session.activate()
            shown = session.receivedApplicationContext["goal"] as? Int ?? usual
            Day.atEnd {
                let goal = Document("goal", of: .phone, usual).value
                if self.shown != goal { Finding.tell("the watch shows a goal of \(self.shown), and it is \(goal)") }
            }
        }

        func session(_ session: WCSession, didReceiveApplicationContext applicationContext: [String: Any]) {
            guard let goal = applicationContext["goal"] as? Int else { return }
            DispatchQueue.main.async { self.shown = goal }
        }
    }
}
