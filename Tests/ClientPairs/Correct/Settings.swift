import WatchConnectivity

/// Both devices change the same setting: the later change wins on both, and what came from the other is not sent back.
enum Settings: ClientPair {
    static func phone() -> any SessionApp { Both() }
    static func watch() -> any SessionApp { Both() }

    private struct Setting: Codable {
        var brightness = 50
        var changed = Date.distantPast
        /// Decides between changes of one instant.
        var device = ""

        var order: (Date, String) { (changed, device) }
    }

    private final class Both: NSObject, SessionApp {
        private let setting = Document("setting", Setting())

        override init() {
            super.init()
            for change in 1...5 {
                Day.at(Double(change) * 100 + Double.random(in: 0...2)) { self.set(Int.random(in: 1...99)) }
            }
            if Device.own == .watch { Day.atEnd { self.judge() } }
        }

        func activated() {
            take(session.receivedApplicationContext)
            tell()
        }

        func session(_ session: WCSession, didReceiveApplicationContext applicationContext: [String: Any]) {
            DispatchQueue.main.async { self.take(applicationContext) }
        }

        private func take(_ context: [String: Any]) {
            guard let brightness = context["brightness"] as? Int, let changed = context["changed"] as? Date,
                let device = context["device"] as? String
            else { return }
            let other = Setting(brightness: brightness, changed: changed, device: device)
            if other.order > setting.value.order { setting.keep(other) }
        }

        private func set(_ brightness: Int) {
            setting.keep(Setting(brightness: brightness, changed: .now, device: Device.own.rawValue))
            tell()
        }

        private func tell() {
            let own = setting.value
            guard !own.device.isEmpty, session.activationState == .activated else { return }
            do {
                try session.updateApplicationContext([
                    "brightness": own.brightness, "changed": own.changed, "device": own.device,
                ])
            } catch {
                DispatchQueue.main.asyncAfter(deadline: .now() + 60) { self.tell() }
            }
        }

        private func judge() {
            let other = Document("setting", of: .phone, Setting()).value
            if session.isReachable && other.order != setting.value.order {
                Finding.tell("the phone's brightness is \(other.brightness), the watch's \(setting.value.brightness)")
            }
        }
    }
}
