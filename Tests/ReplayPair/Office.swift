import Foundation
import WatchConnectivity

/// The phone's app of the post: it tells routes, and then what is still open.
///
/// Unchecked: its state is used on the main queue only.
final class Office: App, @unchecked Sendable {
    private var open = ["Mill Lane", "High Street", "Harbour"]

    override func session(
        _ session: WCSession, didReceiveMessageData messageData: Data, replyHandler: @escaping (Data) -> Void
    ) {
        let reply = Box(replyHandler)
        DispatchQueue.main.async {
            do {
                reply.value(try self.answer(to: messageData))
                self.open.removeLast()
                self.send(context: ["open": self.open])
            } catch {
                NSLog("the question cannot be read: %@", "\(error)")
            }
        }
    }

    private func answer(to message: Data) throws -> Data {
        let question = try JSONDecoder().decode(Envelope.self, from: message)
        let parcel = try JSONDecoder().decode(Envelope.Parcel.self, from: question.payload)
        let route = Envelope.Route(minutes: parcel.weight * 4 + 0.25, stops: open)
        let encoder = JSONEncoder()
        if change.has("sorted") { encoder.outputFormatting = [.sortedKeys, .prettyPrinted] }
        var payload = try encoder.encode(route)
        if change.has("payload-list") { payload = try PropertyListEncoder().encode(route) }
        if let key = change.payloadKey("reply") { payload = try key.applied(to: payload) }
        let id = change.has("new-id") ? UUID().uuidString : question.id
        return try encoder.encode(Envelope(id: id, at: Date().timeIntervalSince1970, payload: payload))
    }
}
