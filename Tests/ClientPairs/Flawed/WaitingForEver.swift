import WatchConnectivity

/// The watch keeps notes until the phone can be reached. The flaw: what waits is sent when the session is activated, and never when the phone is
/// reachable again.
enum WaitingForEver: ClientPair {
    static func phone() -> any SessionApp { Phone() }
    static func watch() -> any SessionApp { Watch() }

    private final class Phone: NSObject, SessionApp {
        func session(
            _ session: WCSession, didReceiveMessage message: [String: Any],
            replyHandler: @escaping ([String: Any]) -> Void
        ) {
            replyHandler(["note": message["note"] ?? 0])
        }
    }

    private final class Watch: NSObject, SessionApp {
        private let waiting = Document<[Int]>("waiting", [])

        override init() {
            super.init()
            for note in 1...15 { Day.at(Double(note) * 40) { self.write(note) } }
            Day.atEnd {
                let count = self.waiting.value.count
                if count > 0 && self.session.isReachable { Finding.tell("\(count) notes wait, and nobody sends them") }
            }
        }

        func activated() {
            for note in waiting.value { send(note) }
        }

        private func write(_ note: Int) {
            waiting.change { $0.append(note) }
            if session.isReachable { send(note) }
        }

        private func send(_ note: Int) {
            session.sendMessage(["note": note]) { _ in
                DispatchQueue.main.async { self.waiting.change { $0.removeAll { $0 == note } } }
            } errorHandler: { error in
                print("note \(note) waits: \(error.localizedDescription)")
            }
        }
    }
}
