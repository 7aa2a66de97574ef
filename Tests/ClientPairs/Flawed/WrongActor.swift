import WatchConnectivity

/// The watch unlocks a door by way of the phone. The flaw: the handler of errors, which hardly anybody tries, takes itself for the main actor's.
enum WrongActor: ClientPair {
    static func phone() -> any SessionApp { Phone() }
    static func watch() -> any SessionApp { Watch() }

    private final class Phone: NSObject, SessionApp {
        func session(
            _ session: WCSession, didReceiveMessage message: [String: Any],
            replyHandler: @escaping ([String: Any]) -> Void
        ) {
            replyHandler(["open": true])
        }
    }

    private final class Watch: NSObject, SessionApp {
        @MainActor private var failures = 0

        override init() {
            super.init()
            for door in 1...15 { Day.at(Double(door) * 40) { self.unlock(door) } }
        }

        private func unlock(_ door: Int) {
            session.sendMessage(["unlock": door]) { reply in
                DispatchQueue.main.async { print("door \(door) is open: \(reply["open"] ?? false)") }
            } errorHandler: { _ in
                MainActor.assumeIsolated { self.failures += 1 }
            }
        }
    }
}
