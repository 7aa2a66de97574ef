import Foundation
import WatchConnectivity

/// The watch's app of a gym: every minute it tells several things at the same time, in tasks that race for the main actor.
///
/// Unchecked: its state is used on the main queue only.
final class Burst: App, @unchecked Sendable {
    private static let minutes = 10
    private var sets = 0

    override func activated() {
        for minute in 1...Self.minutes {
            DispatchQueue.main.asyncAfter(deadline: .now() + Double(minute) * 60) { self.tell() }
        }
    }

    private func tell() {
        sets += 1
        let messages: [[String: Any]] = [
            ["kind": "set", "number": sets], ["kind": "heart", "rate": 100 + sets, "zone": 3],
            ["kind": "rest", "seconds": 30 * sets], ["kind": "note", "text": "set \(sets)"],
        ]
        let told = change.has("drop-one") ? messages.filter { $0["kind"] as? String != "rest" || sets != 5 } : messages
        for message in told.map(Box.init) {
            Task.detached {
                await Work.some()
                await self.post(message)
            }
        }
    }

    @MainActor
    private func post(_ message: Box<[String: Any]>) { send(message: message.value) { _ in } }
}
