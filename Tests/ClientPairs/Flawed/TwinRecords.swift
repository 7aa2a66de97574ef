import WatchConnectivity

/// The watch sends the parts of a night's sleep, the phone makes one record of them. The flaw: whether there is a record is looked up, and it is
/// made then, in tasks of which another may do the same meanwhile.
enum TwinRecords: ClientPair {
    static func phone() -> any SessionApp { Phone() }
    static func watch() -> any SessionApp { Watch() }

    private final class Phone: NSObject, SessionApp {
        private let lock = NSLock()
        private let records = Document<[Int]>("records", [])

        func session(_ session: WCSession, didReceiveMessage message: [String: Any]) {
            guard let night = message["night"] as? Int else { return }
            Task {
                guard !has(night) else { return }
                // The record gets a picture of the moon.
                await Server.ask(10...50)
                add(night)
            }
        }

        private func has(_ night: Int) -> Bool { lock.withLock { records.value.contains(night) } }

        private func add(_ night: Int) {
            lock.withLock {
                records.change { $0.append(night) }
                if records.value.filter({ $0 == night }).count > 1 { Finding.tell("night \(night) has two records") }
            }
        }
    }

    private final class Watch: NSObject, SessionApp {
        override init() {
            super.init()
            for night in 1...5 {
                for _ in 1...2 { Day.at(Double(night) * 100 + Double.random(in: 0...3)) { self.send(night) } }
            }
        }

        private func send(_ night: Int) {
            session.sendMessage(["night": night], replyHandler: nil) { error in
                print("a part of night \(night) is lost: \(error.localizedDescription)")
            }
        }
    }
}
