import Foundation
import WatchConnectivity

/// The phone's app of a gym: it notes what the watch tells, in tasks that race for the main actor.
///
/// Unchecked: its state is used on the main queue only.
final class Board: App, @unchecked Sendable {
    override func received(_ message: [String: Any], _ reply: @escaping ([String: Any]) -> Void) {
        let handler = Handler(reply)
        let kind = message["kind"] as? String ?? ""
        Task.detached {
            await Work.some()
            await self.note(kind)
        }
        Task.detached {
            await Work.some()
            await self.answer(kind, handler)
        }
    }

    @MainActor
    private func note(_ kind: String) { send(userInfo: ["noted": kind]) }

    @MainActor
    private func answer(_ kind: String, _ handler: Handler) { answer(["heard": kind], handler.call) }
}
