import Foundation
import LinkProtocol
import WatchConnectivity

/// The phone's app of a team, whose members wear one watch after the other: it calls the one that is worn, and ranks laps.
///
/// Unchecked: its state is used on the main queue only.
final class Coach: App, @unchecked Sendable {
    private let switches: Bool
    private var laps = 0
    private var isBegun = false

    init(_ change: Change, switches: Bool) {
        self.switches = switches
        super.init(change)
    }

    override func activated() {
        send(context: ["laps": laps, "team": "red"])
        if isBegun { return }
        isBegun = true
        for number in 1...7 {
            DispatchQueue.main.asyncAfter(deadline: .now() + Double(number) * 40) { self.call(number) }
        }
        for number in 1...2 where switches {
            DispatchQueue.main.asyncAfter(deadline: .now() + Double(number) * 100) { self.changeWatch() }
        }
    }

    private func call(_ number: Int) {
        send(message: ["call": number, "pace": 4.5]) { reply in
            self.send(userInfo: ["heard": reply["heart"] ?? 0, "number": number])
        }
    }

    /// What a person does who puts on the other watch.
    private func changeWatch() {
        guard let other = session.simulator.companions.first(where: { !$0.isActive && $0.isPaired }) else { return }
        do {
            try session.simulator.switchTo(other.identifier)
        } catch {
            NSLog("the watch cannot be changed: %@", "\(error)")
        }
    }

    override func received(_ message: [String: Any], _ reply: @escaping ([String: Any]) -> Void) {
        laps += 1
        // A flaw that shows with the second watch only.
        let isOther = change.has("second-only") && laps > 3
        answer(["id": message["id"] ?? "", isOther ? "place" : "rank": laps, "lap": message["lap"] ?? 0], reply)
    }
}
