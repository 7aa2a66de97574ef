import Foundation
import WatchConnectivity

/// The watch's app of a team: it tells its laps while it is worn.
///
/// Unchecked: its state is used on the main queue only.
final class Athlete: App, @unchecked Sendable {
    override func activated() {
        for number in 1...9 {
            DispatchQueue.main.asyncAfter(deadline: .now() + Double(number) * 30) {
                guard self.session.isReachable else { return }
                self.send(message: ["lap": number, "id": UUID().uuidString]) { _ in }
            }
        }
    }

    override func received(_ message: [String: Any], _ reply: @escaping ([String: Any]) -> Void) {
        answer(["heart": 120, "call": message["call"] ?? 0], reply)
    }
}
