import WatchConnectivity

/// The watch orders coffee by way of the phone: an order is kept until the phone says that it has it, and is the same one however often it is sent.
enum Orders: ClientPair {
    static func phone() -> any SessionApp { Phone() }
    static func watch() -> any SessionApp { Watch() }

    private final class Phone: NSObject, SessionApp {
        private let orders = Document<[String: String]>("orders", [:])

        func session(
            _ session: WCSession, didReceiveMessage message: [String: Any],
            replyHandler: @escaping ([String: Any]) -> Void
        ) {
            guard let order = message["order"] as? String, let drink = message["drink"] as? String else {
                return replyHandler(["accepted": false])
            }
            orders.change { $0[order] = drink }
            Task {
                await Server.ask(500...3_000)
                replyHandler(["accepted": true])
            }
        }
    }

    private final class Watch: NSObject, SessionApp {
        private let unconfirmed = Document<[String: String]>("unconfirmed", [:])
        private let confirmed = Document<[String]>("confirmed", [])

        override init() {
            super.init()
            for (number, drink) in ["espresso", "filter", "flat white", "ristretto", "mocha"].enumerated() {
                Day.at(60 + Double(number) * 110) { self.order(drink) }
            }
            Day.atEnd { self.judge() }
        }

        func activated() {
            for (order, drink) in unconfirmed.value { send(order, drink, pause: 5) }
        }

        private func order(_ drink: String) {
            let order = UUID().uuidString
            unconfirmed.change { $0[order] = drink }
            send(order, drink, pause: 5)
        }

        /// - Parameter pause: In seconds, before the next try; twice as long after it, and five minutes at most.
        private func send(_ order: String, _ drink: String, pause: Double) {
            session.sendMessage(["order": order, "drink": drink]) { reply in
                guard reply["accepted"] as? Bool == true else { return }
                DispatchQueue.main.async { self.confirm(order) }
            } errorHandler: { _ in
                DispatchQueue.main.asyncAfter(deadline: .now() + pause) {
                    self.send(order, drink, pause: min(300, pause * 2))
                }
            }
        }

        private func confirm(_ order: String) {
            confirmed.change { $0.append(order) }
            unconfirmed.change { $0[order] = nil }
        }

        private func judge() {
            let orders = Document<[String: String]>("orders", of: .phone, [:]).value
            if confirmed.value.contains(where: { orders[$0] == nil }) { Finding.tell("a confirmed order is lost") }
            let known = Set(confirmed.value).union(unconfirmed.value.keys)
            if !known.isSuperset(of: orders.keys) { Finding.tell("an order that nobody made") }
        }
    }
}
