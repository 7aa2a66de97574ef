import WatchConnectivity

/// The watch asks how one feels, the phone makes a diary of it. The flaw: an answer that is the same as the last one is the same context, and is
/// not sent again.
enum SameContext: ClientPair {
    static func phone() -> any SessionApp { Phone() }
    static func watch() -> any SessionApp { Watch() }

    private final class Phone: NSObject, SessionApp {
        private let entries = Document<[Int]>("entries", [])

        func session(_ session: WCSession, didReceiveApplicationContext applicationContext: [String: Any]) {
            if let mood = applicationContext["mood"] as? Int { entries.change { $0.append(mood) } }
        }
    }

    private final class Watch: NSObject, SessionApp {
        private let answers = Document("answers", 0)

        override init() {
            super.init()
            for question in 1...3 { Day.at(Double(question) * 120) { self.answer(Int.random(in: 1...10)) } }
            Day.atEnd {
                let entries = Document<[Int]>("entries", of: .phone, []).value.count
                if entries < self.answers.value { Finding.tell("\(entries) entries for \(self.answers.value) answers") }
            }
        }

        private func answer(_ mood: Int) {
            do {
                try session.updateApplicationContext(["mood": mood])
                answers.change { $0 += 1 }
            } catch {
                print("not answered: \(error.localizedDescription)")
            }
        }
    }
}
