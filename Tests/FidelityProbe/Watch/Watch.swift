import Foundation
import WatchConnectivity

/// The watch's app: it plays its part of each step when the phone's app orders it.
///
/// Unchecked: after the start only its own thread uses it.
final class Watch: @unchecked Sendable {
    private let stage: Stage
    private let delegate: WatchDelegate
    private var done: Set<String> = []

    /// - Parameters:
    ///   - system: The device and its system, for the record.
    ///   - directory: The app's documents.
    ///   - say: Shows a line.
    init(system: String, directory: URL, say: @escaping @Sendable (String) -> Void) {
        stage = Stage(.watch, system: system, directory: directory, say: say)
        delegate = WatchDelegate(Receiver(stage))
    }

    func start() { Thread.detachNewThread { self.run() } }

    private func run() {
        Start.activate(stage, delegate)
        if stage.memory.lives > 1 {
            let context = stage.session.receivedApplicationContext
            stage.observe("relaunch.context", Wording.value(context["step"]) + " " + Wording.value(context["n"]))
        }
        stage.say("the watch's app is ready; start the phone's, and leave both in the foreground")
        while true {
            let orders = stage.journal.await(done.count + 1, "order", "", within: Patience.person)
            for entry in orders {
                guard let id = entry.content["id"] as? String, done.insert(id).inserted else { continue }
                follow(entry.content)
                report(id)
                if let warning = stage.memory.warning { stage.say(warning) }
            }
        }
    }

    private func follow(_ order: [String: Any]) {
        let name = order["name"] as? String ?? ""
        stage.say("\(Wording.value(order["order"])) \(name)")
        switch order["order"] as? String {
        case "send": Step.named(name)?.send(stage)
        case "judge": Step.named(name)?.judge(stage)
        case "state": observeState()
        case "collect": handOver()
        default: stage.say("the phone's app is of another version")
        }
    }

    private func observeState() {
        let session = stage.session
        stage.observe("state.companionApp", "\(session.isCompanionAppInstalled)")
        stage.observe("state.unlocked", "\(session.iOSDeviceNeedsUnlockAfterRebootForReachability)")
        stage.observe("state.reachable", "\(session.isReachable)")
        stage.observe("state.nothingPending", "\(session.hasContentPending)")
    }

    private func handOver() {
        let record = stage.session.transferUserInfo([
            "record": stage.memory.observed, "omitted": stage.memory.omitted, "system": stage.system,
        ])
        guard stage.end(of: record)?.error == nil else { return }
        stage.memory.clear()
        stage.say("this app is done; the phone has its observations")
    }

    /// Tells the phone, as soon as it can be reached.
    private func report(_ id: String) {
        _ = Patience.until(Patience.person * 2) {
            guard stage.session.isReachable else { return false }
            if case .reply = stage.send(["order": "done", "id": id]).outcome() { return true }
            return false
        }
    }
}
