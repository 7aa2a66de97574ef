import Foundation
import WatchConnectivity

/// The phone's app for the runner: it sets goals.
///
/// Unchecked: its state is used on the main queue only.
final class Trainer: App, @unchecked Sendable {
    override func activated() {
        for number in 1...2 {
            DispatchQueue.main.asyncAfter(deadline: .now() + Double(number) * 200) {
                self.send(message: ["goal": number * 5, "plan": "interval"]) { _ in }
            }
        }
    }
}
