import WatchConnectivity

/// The watch asks the phone for directions, as an async call with a time-out of its own. The flaw: a reply behind the time-out resumes the
/// continuation once more.
enum ResumedTwice: ClientPair {
    static func phone() -> any SessionApp { Phone() }
    static func watch() -> any SessionApp { Watch() }

    private final class Phone: NSObject, SessionApp {
        func session(
            _ session: WCSession, didReceiveMessage message: [String: Any],
            replyHandler: @escaping ([String: Any]) -> Void
        ) {
            Task {
                await Server.ask(100...5_050)
                replyHandler(["turn": "left"])
            }
        }
    }

    private final class Watch: NSObject, SessionApp {
        private var answered: Set<Int> = []

        override init() {
            super.init()
            for corner in 1...6 {
                Day.at(Double(corner) * 80) { Task { print(await self.turn(at: corner) ?? "straight on") } }
            }
        }

        private func turn(at corner: Int) async -> String? {
            await withCheckedContinuation { continuation in
                session.sendMessage(["corner": corner]) { reply in
                    self.answered.insert(corner)
                    continuation.resume(returning: reply["turn"] as? String)
                } errorHandler: { error in
                    print("no directions: \(error.localizedDescription)")
                }
                DispatchQueue.main.asyncAfter(deadline: .now() + 5) {
                    if !self.answered.contains(corner) { continuation.resume(returning: nil) }
                }
            }
        }
    }
}
