import WatchConnectivity

/// The watch orders coffee by way of the phone. The flaw: an order that failed is sent again, and nobody can tell that it is the same.
enum RetryDuplicates: ClientPair {
    static func phone() -> any SessionApp { Phone() }
    static func watch() -> any SessionApp { Watch() }

    private final class Phone: NSObject, SessionApp {
        private let orders = Document<[String]>("orders", [])

        func session(
            _ session: WCSession, didReceiveMessage message: [String: Any],
            replyHandler: @escaping ([String: Any]) -> Void
        ) {
            guard let drink = message["drink"] as? String else { return replyHandler(["accepted": false]) }
            orders.change { $0.append(drink) }
            Task {
                await Server.ask(500...3_000)
                replyHandler(["accepted": true])
            }
        }
    }

    private final class Watch: NSObject, SessionApp {
        private let taps = Document("taps", 0)

        override init() {
            super.init()
            for (number, drink) in ["espresso", "filter", "flat white", "ristretto", "mocha"].enumerated() {
                Day.at(60 + Double(number) * 110) {
                    self.taps.change { $0 += 1 }
                    self.order(drink)
                }
            }
            Day.atEnd {
                let ordered = Document<[String]>("orders", of: .phone, []).value.count
                if ordered > self.taps.value { Finding.tell("\(ordered) orders for \(self.taps.value) taps") }
            }
        }

        private func order(_ drink: String) {
            session.sendMessage(
                ["drink": drink], replyHandler: { _ in },
                errorHandler: { _ in
                    DispatchQueue.main.asyncAfter(deadline: .now() + 5) { self.order(drink) }
                })
        }
    }
}
