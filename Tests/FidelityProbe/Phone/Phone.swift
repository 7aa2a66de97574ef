import Foundation
import WatchConnectivity

/// The phone's app: it leads both apps through the steps, asks the person for deeds, and writes the record.
///
/// Unchecked: after the start only its own thread uses it.
final class Phone: @unchecked Sendable {
    let stage: Stage
    private let delegate: PhoneDelegate
    private let record: URL
    /// True in the process that has queued transfers for its successor.
    var isPredecessor = false
    /// The system and the observations of the watch.
    var watch: [String: Any] = [:]

    /// - Parameters:
    ///   - system: The device and its system, for the record.
    ///   - directory: The app's documents.
    ///   - record: The directory for the record.
    ///   - say: Shows a line.
    init(system: String, directory: URL, record: URL, say: @escaping @Sendable (String) -> Void) {
        stage = Stage(.phone, system: system, directory: directory, say: say)
        delegate = PhoneDelegate(Receiver(stage))
        self.record = record
    }

    func start() { Thread.detachNewThread { self.run() } }

    private func run() {
        Start.activate(stage, delegate)
        let acts = self.acts
        for index in acts.indices.dropFirst(stage.memory.next) {
            stage.memory.begin(step: index + 1)
            stage.say("act \(index + 1) of \(acts.count): \(acts[index].name)")
            acts[index].play()
            if let warning = stage.memory.warning { stage.say(warning) }
        }
    }

    private var acts: [Act] {
        let near = Step.near.map { step in Act(name: step.name) { self.alternate(step) } }
        return [Act(name: "state", play: observeState)] + near + [
            Act(name: "complication", play: tryComplication),
            Act(name: "away", play: tryAway),
            Act(name: "background of the watch", play: tryWatchBackground),
            Act(name: "background of the phone", play: tryPhoneBackground),
            Act(name: "relaunch of the watch", play: relaunchWatch),
            Act(name: "before the relaunch of the phone", play: prepareRelaunch),
            Act(name: "after the relaunch of the phone", play: judgeRelaunch),
            Act(name: "a URL that is not a file", play: tryURL),
            Act(name: "record", play: finish),
        ]
    }

    /// Both apps send in turn, and the other one judges.
    private func alternate(_ step: Step) {
        step.send(stage)
        order("judge", step.name)
        order("send", step.name)
        step.judge(stage)
    }

    // MARK: - The watch's app

    /// Orders the watch's app to do something, and waits until it has done so.
    ///
    /// - Returns: False if it has not done so in time.
    @discardableResult
    func order(_ order: String, _ name: String, waits: Bool = true) -> Bool {
        let id = UUID().uuidString
        let isTaken = Patience.until(Patience.person) {
            guard stage.session.isReachable else { return false }
            let message = stage.send(["order": order, "name": name, "id": id])
            if case .reply = message.outcome() { return true }
            return false
        }
        pending = id
        return isTaken && (!waits || waitForWatch())
    }

    private var pending = ""

    /// Waits until the last order was carried out.
    @discardableResult
    func waitForWatch() -> Bool {
        let id = pending
        return Patience.until(Patience.person * 3) {
            !stage.journal.all { $0.method == "order" && $0.content["id"] as? String == id }.isEmpty
        }
    }

    /// Asks the person for a deed.
    func ask(_ name: String, _ words: String) { stage.say("DO \(name): \(words)") }

    // MARK: - The record

    private func finish() {
        ask("nothing", "leave both apps in the foreground until this one says DONE")
        if Patience.until(Patience.person, { stage.session.isReachable }) { order("collect", "", waits: false) }
        let isRecord: (Entry) -> Bool = { $0.method == "didReceiveUserInfo" && $0.content["record"] != nil }
        _ = Patience.until(Patience.arrival) { !stage.journal.all(isRecord).isEmpty }
        let handed = stage.journal.all(isRecord).last?.content ?? [:]
        let lines = Record(stage.system, stage.memory.observed, stage.memory.omitted, watch: handed).lines
        let file = record.appendingPathComponent(Record.file)
        do {
            try FileManager.default.createDirectory(at: record, withIntermediateDirectories: true)
            try Data((lines.joined(separator: "\n") + "\n").utf8).write(to: file, options: .atomic)
            stage.memory.clear()
        } catch {
            stage.say("the record cannot be written: \(error); copy the lines below into a file \(Record.file)")
        }
        for line in lines { stage.say(line) }
        stage.say("DONE: the record is in \(record.lastPathComponent)/\(Record.file), and the lines above")
    }
}
