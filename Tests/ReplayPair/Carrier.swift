import Foundation
import WatchConnectivity

/// The watch's app of the post: it asks for routes, and tells how much it knew to be open when it got one.
///
/// Unchecked: its state is used on the main queue only.
final class Carrier: App, @unchecked Sendable {
    private var open = 3
    private let pause: Double = 0.4

    override func activated() {
        for number in 1...3 {
            let time = Double(number) * 60 + (change.has("later") ? pause : 0)
            DispatchQueue.main.asyncAfter(deadline: .now() + time) { self.ask(number) }
        }
    }

    private func ask(_ number: Int) {
        do {
            var payload = try JSONEncoder().encode(Envelope.Parcel(number: number, weight: Double(number) + 0.5))
            if let key = change.payloadKey("sendMessageData") { payload = try key.applied(to: payload) }
            let now = Date().timeIntervalSince1970
            let question = Envelope(
                id: UUID().uuidString, at: change.has("whole-time") ? now.rounded() : now + 0.000_25, payload: payload)
            session.sendMessageData(
                try JSONEncoder().encode(question),
                replyHandler: { _ in DispatchQueue.main.async { self.send(context: ["known": self.open]) } },
                errorHandler: { NSLog("sendMessageData: %@", "\($0)") })
        } catch {
            NSLog("the question cannot be written: %@", "\(error)")
        }
    }

    override func session(_ session: WCSession, didReceiveApplicationContext applicationContext: [String: Any]) {
        let count = (applicationContext["open"] as? [Any])?.count ?? 0
        DispatchQueue.main.async { self.open = count }
    }
}
