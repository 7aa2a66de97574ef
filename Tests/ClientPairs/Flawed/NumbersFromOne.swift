import WatchConnectivity

/// The watch numbers its measurements so that the phone can drop what comes twice. The flaw: the number begins anew with each launch.
enum NumbersFromOne: ClientPair {
    static func phone() -> any SessionApp { Phone() }
    static func watch() -> any SessionApp { Watch() }

    private final class Phone: NSObject, SessionApp {
        private let measurements = Document<[Int: Double]>("measurements", [:])

        func session(_ session: WCSession, didReceiveUserInfo userInfo: [String: Any] = [:]) {
            guard let number = userInfo["number"] as? Int, let value = userInfo["value"] as? Double else { return }
            measurements.change { if $0[number] == nil { $0[number] = value } }
        }
    }

    private final class Watch: NSObject, SessionApp {
        private let measured = Document("measured", 0)
        private var number = 0

        override init() {
            super.init()
            for minute in 1...10 { Day.at(Double(minute) * 60) { self.measure() } }
            Day.atEnd {
                let kept = Document<[Int: Double]>("measurements", of: .phone, [:]).value.count
                if kept < self.measured.value {
                    Finding.tell("\(kept) of \(self.measured.value) measurements are kept")
                }
            }
        }

        private func measure() {
            number += 1
            session.transferUserInfo(["number": number, "value": Double.random(in: 36...38)])
            measured.change { $0 += 1 }
        }
    }
}
