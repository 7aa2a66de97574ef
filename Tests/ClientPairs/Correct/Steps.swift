import WatchConnectivity

/// The watch counts steps, the phone adds them up: each walk under an identifier, kept before the delegate's method returns.
enum Steps: ClientPair {
    static func phone() -> any SessionApp { Phone() }
    static func watch() -> any SessionApp { Watch() }

    private final class Phone: NSObject, SessionApp {
        private let walks = Document<[String: Int]>("walks", [:])

        func session(_ session: WCSession, didReceiveUserInfo userInfo: [String: Any] = [:]) {
            guard let walk = userInfo["walk"] as? String, let steps = userInfo["steps"] as? Int else { return }
            walks.change { $0[walk] = steps }
        }
    }

    private final class Watch: NSObject, SessionApp {
        private let walked = Document<[String: Int]>("walked", [:])

        override init() {
            super.init()
            for walk in 1...10 {
                let moment = Double(walk / 2) * 90 + Double.random(in: 0...2)
                Day.at(60 + moment) { self.finish(walk * 100) }
            }
            Day.atEnd { self.judge() }
        }

        private func finish(_ steps: Int) {
            let walk = UUID().uuidString
            session.transferUserInfo(["walk": walk, "steps": steps])
            walked.change { $0[walk] = steps }
        }

        private func judge() {
            guard session.outstandingUserInfoTransfers.isEmpty else { return }
            let walks = Document<[String: Int]>("walks", of: .phone, [:]).value
            for (walk, steps) in walked.value where walks[walk] != steps { Finding.tell("a walk is not on the phone") }
        }
    }
}
