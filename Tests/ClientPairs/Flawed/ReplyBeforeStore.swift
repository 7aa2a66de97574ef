import WatchConnectivity

/// The watch removes a reading once the phone has it. The flaw: the phone says so at once, and writes its readings five seconds after the first.
enum ReplyBeforeStore: ClientPair {
    static func phone() -> any SessionApp { Phone() }
    static func watch() -> any SessionApp { Watch() }

    private final class Phone: NSObject, SessionApp {
        private let readings = Document<[Int]>("readings", [])
        private var unwritten: [Int] = []

        func session(
            _ session: WCSession, didReceiveMessage message: [String: Any],
            replyHandler: @escaping ([String: Any]) -> Void
        ) {
            guard let number = message["number"] as? Int else { return replyHandler(["has": false]) }
            DispatchQueue.main.async {
                if self.unwritten.isEmpty { DispatchQueue.main.asyncAfter(deadline: .now() + 5) { self.write() } }
                self.unwritten.append(number)
            }
            replyHandler(["has": true])
        }

        private func write() {
            readings.change { $0 += unwritten }
            unwritten = []
        }
    }

    private final class Watch: NSObject, SessionApp {
        private let removed = Document<[Int]>("removed", [])

        override init() {
            super.init()
            for number in 1...20 { Day.at(Double(number) * 30) { self.send(number) } }
            Day.atEnd {
                let lost = Set(self.removed.value).subtracting(Document<[Int]>("readings", of: .phone, []).value)
                if !lost.isEmpty { Finding.tell("\(lost.count) readings are on no device") }
            }
        }

        private func send(_ number: Int) {
            session.sendMessage(["number": number, "value": 72]) { reply in
                guard reply["has"] as? Bool == true else { return }
                DispatchQueue.main.async { self.removed.change { $0.append(number) } }
            } errorHandler: { error in
                print("reading \(number) stays here: \(error.localizedDescription)")
            }
        }
    }
}
