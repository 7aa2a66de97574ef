import WatchConnectivity

/// The phone keeps recipes and a table of their names. The flaw: the two are written one after the other, and an app that is launched with only
/// one of them stops.
enum HalfWritten: ClientPair {
    static func phone() -> any SessionApp { Phone() }
    static func watch() -> any SessionApp { Watch() }

    private final class Phone: NSObject, SessionApp {
        private let names = Document<[String]>("names", [])
        private let recipes = Document<[String: String]>("recipes", [:])

        override init() {
            super.init()
            let known = recipes.value
            // swift-format-ignore: NeverForceUnwrap
            for name in names.value { print(name, known[name]!.count) }
        }

        func session(_ session: WCSession, didReceiveUserInfo userInfo: [String: Any] = [:]) {
            guard let name = userInfo["name"] as? String else { return }
            names.change { $0.append(name) }
            Task {
                await Server.ask(1_000...4_000)
                recipes.change { $0[name] = "Stir, and wait." }
            }
        }
    }

    private final class Watch: NSObject, SessionApp {
        override init() {
            super.init()
            for number in 1...15 {
                Day.at(Double(number) * 40) { self.session.transferUserInfo(["name": "soup \(number)"]) }
            }
        }
    }
}
