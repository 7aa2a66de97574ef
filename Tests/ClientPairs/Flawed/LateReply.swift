import WatchConnectivity

/// The watch asks the phone for the points of an exercise. The flaw: it asks again after eight seconds, and takes the points of both answers.
enum LateReply: ClientPair {
    static func phone() -> any SessionApp { Phone() }
    static func watch() -> any SessionApp { Watch() }

    private final class Phone: NSObject, SessionApp {
        func session(
            _ session: WCSession, didReceiveMessage message: [String: Any],
            replyHandler: @escaping ([String: Any]) -> Void
        ) {
            Task {
                // The points come from a service that is slow at times.
                await Server.ask(50...8_400)
                replyHandler(["points": 10])
            }
        }
    }

    private final class Watch: NSObject, SessionApp {
        private var points = 0
        private var exercises = 0

        override init() {
            super.init()
            for exercise in 1...6 { Day.at(Double(exercise) * 90) { self.finish(exercise) } }
        }

        private func finish(_ exercise: Int) {
            exercises += 1
            ask(exercise)
        }

        private func ask(_ exercise: Int) {
            var isAnswered = false
            session.sendMessage(["exercise": exercise]) { reply in
                DispatchQueue.main.async {
                    isAnswered = true
                    self.add(reply["points"] as? Int ?? 0)
                }
            } errorHandler: { error in
                print("no points for exercise \(exercise): \(error.localizedDescription)")
            }
            DispatchQueue.main.asyncAfter(deadline: .now() + 8) {
                if !isAnswered { self.ask(exercise) }
            }
        }

        private func add(_ more: Int) {
            points += more
            if points > exercises * 10 { Finding.tell("\(points) points for \(exercises) exercises of 10") }
        }
    }
}
