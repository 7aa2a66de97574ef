import WatchConnectivity

/// Both devices keep the same list of favourites. The flaw: each sends what it got back as its own, so that two changes at a time chase each
/// other for ever.
enum Echo: ClientPair {
    static func phone() -> any SessionApp { Both() }
    static func watch() -> any SessionApp { Both() }

    private final class Both: NSObject, SessionApp {
        private var favourite = 0
        private var changes = 0
        /// Far more than a person makes.
        private static let tooMany = 40

        override init() {
            super.init()
            for tap in 1...5 {
                Day.at(Double(tap) * 100 + Double.random(in: 0...2)) { self.choose(Int.random(in: 1...99)) }
            }
        }

        func session(_ session: WCSession, didReceiveApplicationContext applicationContext: [String: Any]) {
            guard let chosen = applicationContext["favourite"] as? Int else { return }
            DispatchQueue.main.async {
                if chosen != self.favourite { self.choose(chosen) }
            }
        }

        private func choose(_ chosen: Int) {
            favourite = chosen
            changes += 1
            guard changes < Self.tooMany else { return Finding.tell("the favourite changed \(changes) times") }
            DispatchQueue.main.asyncAfter(deadline: .now() + 0.25) { self.tell(chosen) }
        }

        private func tell(_ chosen: Int) {
            do {
                try session.updateApplicationContext(["favourite": chosen])
            } catch {
                print("not told: \(error.localizedDescription)")
            }
        }
    }
}
