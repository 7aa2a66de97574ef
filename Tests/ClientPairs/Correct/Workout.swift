import WatchConnectivity

/// The watch tells the phone the laps of a workout: by a message where the phone is there, else by a user info; the phone keeps each under its
/// number, whatever came before it.
enum Workout: ClientPair {
    static func phone() -> any SessionApp { Phone() }
    static func watch() -> any SessionApp { Watch() }

    private final class Phone: NSObject, SessionApp {
        private let laps = Document<[String: [Int]]>("laps", [:])

        /// Messages and user infos come one at a time.
        private func keep(_ content: [String: Any]) {
            guard let workout = content["workout"] as? String, let lap = content["lap"] as? Int else { return }
            laps.change { laps in
                if !laps[workout, default: []].contains(lap) { laps[workout, default: []].append(lap) }
            }
        }

        func session(
            _ session: WCSession, didReceiveMessage message: [String: Any],
            replyHandler: @escaping ([String: Any]) -> Void
        ) {
            keep(message)
            replyHandler([:])
        }

        func session(_ session: WCSession, didReceiveUserInfo userInfo: [String: Any] = [:]) { keep(userInfo) }
    }

    private final class Watch: NSObject, SessionApp {
        private let workout = Document<String>("workout", "")
        /// Laps that the phone has not confirmed and that are in no queue.
        private let open = Document<[Int]>("open", [])
        private let run = Document<[Int]>("run", [])

        override init() {
            super.init()
            if workout.value.isEmpty { workout.keep(UUID().uuidString) }
            for lap in 1...15 { Day.at(60 + Double(lap) * 30) { self.finish(lap) } }
            Day.atEnd { self.judge() }
        }

        func activated() {
            for lap in open.value { queue(lap) }
        }

        private func content(_ lap: Int) -> [String: Any] { ["workout": workout.value, "lap": lap] }

        private func finish(_ lap: Int) {
            open.change { $0.append(lap) }
            run.change { $0.append(lap) }
            guard session.isReachable else { return queue(lap) }
            session.sendMessage(content(lap)) { _ in
                DispatchQueue.main.async { self.close(lap) }
            } errorHandler: { _ in
                DispatchQueue.main.async { self.queue(lap) }
            }
        }

        private func queue(_ lap: Int) {
            guard session.activationState == .activated else { return }
            session.transferUserInfo(content(lap))
            close(lap)
        }

        private func close(_ lap: Int) { open.change { $0.removeAll { $0 == lap } } }

        private func judge() {
            guard session.outstandingUserInfoTransfers.isEmpty else { return }
            let laps = Document<[String: [Int]]>("laps", of: .phone, [:]).value[workout.value] ?? []
            let lost = run.value.filter { !laps.contains($0) && !open.value.contains($0) }
            if !lost.isEmpty { Finding.tell("the laps \(lost) are lost") }
            if Set(laps).count < laps.count { Finding.tell("a lap is there twice") }
        }
    }
}
