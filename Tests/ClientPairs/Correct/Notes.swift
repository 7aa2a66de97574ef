import WatchConnectivity

/// The watch keeps notes until the phone has them, and sends them whenever it can be reached, one at a time.
enum Notes: ClientPair {
    static func phone() -> any SessionApp { Phone() }
    static func watch() -> any SessionApp { Watch() }

    private final class Phone: NSObject, SessionApp {
        private let notes = Document<[Int]>("notes", [])

        func session(
            _ session: WCSession, didReceiveMessage message: [String: Any],
            replyHandler: @escaping ([String: Any]) -> Void
        ) {
            guard let note = message["note"] as? Int else { return replyHandler(["has": false]) }
            notes.change { if !$0.contains(note) { $0.append(note) } }
            replyHandler(["has": true])
        }
    }

    private final class Watch: NSObject, SessionApp {
        private let waiting = Document<[Int]>("waiting", [])
        private let written = Document<[Int]>("written", [])
        private var isSending = false

        override init() {
            super.init()
            for note in 1...15 { Day.at(Double(note) * 40) { self.write(note) } }
            Day.atEnd { self.judge() }
        }

        func activated() { sendNext() }

        func sessionReachabilityDidChange(_ session: WCSession) {
            DispatchQueue.main.async { self.sendNext() }
        }

        private func write(_ note: Int) {
            waiting.change { $0.append(note) }
            written.change { $0.append(note) }
            sendNext()
        }

        private func sendNext() {
            guard !isSending, session.isReachable, let note = waiting.value.first else { return }
            isSending = true
            session.sendMessage(["note": note]) { reply in
                DispatchQueue.main.async { self.sent(note, hasArrived: reply["has"] as? Bool == true) }
            } errorHandler: { _ in
                DispatchQueue.main.async { self.sent(note, hasArrived: false) }
            }
        }

        private func sent(_ note: Int, hasArrived: Bool) {
            isSending = false
            guard !hasArrived else {
                waiting.change { $0.removeAll { $0 == note } }
                return sendNext()
            }
            DispatchQueue.main.asyncAfter(deadline: .now() + 10) { self.sendNext() }
        }

        private func judge() {
            let notes = Document<[Int]>("notes", of: .phone, []).value
            let waiting = waiting.value
            if written.value.contains(where: { !waiting.contains($0) && !notes.contains($0) }) {
                Finding.tell("a note is on no device")
            }
            if Set(notes).count < notes.count { Finding.tell("a note is on the phone twice") }
            if !waiting.isEmpty && session.isReachable && !isSending { look(again: waiting) }
        }

        /// The next try comes after ten seconds.
        private func look(again before: [Int]) {
            DispatchQueue.main.asyncAfter(deadline: .now() + 60) {
                let isStuck = self.waiting.value == before && self.session.isReachable && !self.isSending
                if isStuck { Finding.tell("\(before.count) notes wait, and nobody sends them") }
            }
        }
    }
}
