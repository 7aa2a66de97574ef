import WatchConnectivity

/// The watch controls the phone's player by numbered user infos: all arrive, in order, and each is done once.
enum Commands: ClientPair {
    static func phone() -> any SessionApp { Phone() }
    static func watch() -> any SessionApp { Watch() }

    private struct Player: Codable {
        var last = 0
        var skipped = 0
    }

    private final class Phone: NSObject, SessionApp {
        private let player = Document("player", Player())

        func session(_ session: WCSession, didReceiveUserInfo userInfo: [String: Any] = [:]) {
            guard let number = userInfo["skip"] as? Int else { return }
            player.change { player in
                guard number > player.last else { return }
                player.last = number
                player.skipped += 1
            }
        }
    }

    private final class Watch: NSObject, SessionApp {
        private let number = Document("number", 0)
        private let sent = Document("sent", 0)

        override init() {
            super.init()
            for tap in 1...20 { Day.at(Double(tap) * 25) { self.skip() } }
            Day.atEnd { self.judge() }
        }

        private func skip() {
            // A number is never used twice, whatever happens to its command.
            number.change { $0 += 1 }
            session.transferUserInfo(["skip": number.value])
            sent.change { $0 += 1 }
        }

        private func judge() {
            guard session.outstandingUserInfoTransfers.isEmpty else { return }
            let skipped = Document("player", of: .phone, Player()).value.skipped
            if skipped < sent.value || skipped > number.value {
                Finding.tell("\(skipped) songs were skipped, of \(sent.value) to \(number.value)")
            }
        }
    }
}
