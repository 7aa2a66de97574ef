import Foundation
import WatchConnectivity

/// What each app's part in a step works with.
///
/// Unchecked: the list of messages is used by the one thread that takes the steps.
final class Stage: @unchecked Sendable {
    let side: Side
    /// The device and its system.
    let system: String
    let session = WCSession.default
    let journal = Journal()
    let memory: Memory
    /// The directory for the files that it sends and keeps.
    let files: URL
    /// Shows a line to the person who runs the probe.
    let say: @Sendable (String) -> Void
    private(set) var messages: [SentMessage] = []
    private let appState: AppState
    private var observation: NSKeyValueObservation?

    init(_ side: Side, system: String, directory: URL, say: @escaping @Sendable (String) -> Void) {
        (self.side, self.system, self.say) = (side, system, say)
        appState = AppState(side)
        memory = Memory(in: directory)
        files = directory
    }

    var isInBackground: Bool { appState.isInBackground }

    func observe(_ claim: String, _ text: String) { memory.observe(claim, text) }

    /// Keeps an observation for as long as the app runs.
    func keep(_ observation: NSKeyValueObservation) { self.observation = observation }

    // MARK: - Sending

    /// Returns the content of a step.
    func content(_ step: String, _ number: Int = 0, _ more: [String: Any] = [:]) -> [String: Any] {
        more.merging(["step": step, "n": number]) { $1 }
    }

    /// Returns a content of a size.
    func content(_ step: String, bytes: Int) -> [String: Any] { content(step, 0, ["filler": Data(count: bytes)]) }

    @discardableResult
    func send(_ content: [String: Any]) -> SentMessage {
        let message = SentMessage(journal)
        messages.append(message)
        session.sendMessage(
            content, replyHandler: { @Sendable in message.end(.reply($0)) },
            errorHandler: { @Sendable in message.end(.failed($0)) })
        return message
    }

    @discardableResult
    func send(_ data: Data) -> SentMessage {
        let message = SentMessage(journal)
        messages.append(message)
        session.sendMessageData(
            data, replyHandler: { @Sendable in message.end(.data($0)) },
            errorHandler: { @Sendable in message.end(.failed($0)) })
        return message
    }

    /// Sets a context.
    ///
    /// - Returns: The error's text, or “accepted”.
    func set(context: [String: Any]) -> String {
        do {
            try session.updateApplicationContext(context)
            return "accepted"
        } catch {
            return Wording.text(error)
        }
    }

    /// Writes a file to send.
    func file(_ name: String, _ data: Data) -> URL {
        let url = files.appendingPathComponent(name)
        do { try data.write(to: url) } catch { say("cannot write \(name): \(error)") }
        return url
    }

    /// Waits for the end of a transfer.
    func end(of transfer: AnyObject, within seconds: TimeInterval = Patience.arrival) -> Entry? {
        let isItsEnd: (Entry) -> Bool = { $0.method == "didFinish" && $0.transfer === transfer }
        _ = Patience.until(seconds) { !self.journal.all(isItsEnd).isEmpty }
        return journal.all(isItsEnd).first
    }

    /// Returns how a transfer ended, as an observation.
    func endText(of transfer: AnyObject, within seconds: TimeInterval = Patience.arrival) -> String {
        guard let entry = end(of: transfer, within: seconds) else { return "no didFinish" }
        return "didFinish with \(Wording.end(entry.error))"
    }
}
