import WatchConnectivity

/// The watch sends payments, the phone books them. The flaw: it books first and makes a receipt then, before the delegate's method returns; what
/// comes again since the app died meanwhile is booked again.
enum GivenTwice: ClientPair {
    static func phone() -> any SessionApp { Phone() }
    static func watch() -> any SessionApp { Watch() }

    private final class Phone: NSObject, SessionApp {
        private let booked = Document<[Int]>("booked", [])

        func session(_ session: WCSession, didReceiveUserInfo userInfo: [String: Any] = [:]) {
            guard let payment = userInfo["payment"] as? Int else { return }
            booked.change { $0.append(payment) }
            Thread.sleep(forTimeInterval: 1.5)  // The receipt is drawn.
            print("receipt \(payment)")
        }
    }

    private final class Watch: NSObject, SessionApp {
        override init() {
            super.init()
            for payment in 1...20 {
                Day.at(Double(payment) * 30) { self.session.transferUserInfo(["payment": payment]) }
            }
            Day.atEnd {
                let booked = Document<[Int]>("booked", of: .phone, []).value
                if Set(booked).count < booked.count { Finding.tell("a payment was booked twice") }
            }
        }
    }
}
