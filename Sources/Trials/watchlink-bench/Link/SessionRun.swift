import Foundation
import LinkProtocol
import LinkTransport
import Locking
import WatchConnectivity

/// One measurement with a session: keeps messages in flight until the time is over.
final class SessionRun: Sendable {
    /// Sends a message; one of the two closures is called when it is answered or has failed.
    typealias Send =
        @Sendable (WCSession, _ onReply: @escaping () -> Void, _ onError: @escaping () -> Void) throws -> Void

    private struct State {
        var pace: Pace
        /// The times of the messages that were recorded, and of those that were not.
        var recorded = Latencies()
        var plain = Latencies()
        var hasStarted = false
        var failures = 0
        var outcome: Outcome?
    }

    private let options: PeerOptions
    private let sendMessage: Send
    private let state: Mutex<State>
    private let done = DispatchSemaphore(value: 0)
    /// For messages after a pause.
    private let queue = DispatchQueue(label: "pace")

    init(_ options: PeerOptions, sendMessage: @escaping Send) {
        self.options = options
        self.sendMessage = sendMessage
        state = Mutex(State(pace: Pace(seconds: options.seconds)))
    }

    func start(_ session: WCSession) {
        let isFirst = state.withLock { state in
            defer { state.hasStarted = true }
            if !state.hasStarted { state.pace = Pace(seconds: options.seconds) }
            return !state.hasStarted
        }
        guard isFirst else { return }
        for _ in 0..<options.outstanding { send(session) }
    }

    /// Waits until the time is over.
    func wait() { done.wait() }

    var outcome: Outcome { state.withLock { $0.outcome } ?? Outcome() }

    /// The outcome of a run in which both devices alternate.
    var recordedOutcome: RecordedOutcome {
        state.withLock {
            RecordedOutcome(
                plain: Outcome($0.plain, seconds: options.seconds / 2),
                recorded: Outcome($0.recorded, seconds: options.seconds / 2))
        }
    }

    private func send(_ session: WCSession) {
        let start = MonotonicTime.now
        do {
            try sendMessage(
                session, { [self] in received(start, session) }, { [self] in received(nil, session) })
        } catch {
            received(nil, session)
        }
    }

    private func received(_ start: MonotonicTime?, _ session: WCSession) {
        let goesOn = state.withLock { state in
            guard state.outcome == nil else { return false }
            guard let start else {
                state.failures += 1
                // A failed message is not measured; repeated failures must not continue forever.
                if state.failures < 1_000 { return true }
                state.outcome = Outcome()
                return false
            }
            if options.recordings != nil { Self.record(start, &state) }
            if state.pace.received(sentAt: start) { return true }
            state.outcome = state.pace.outcome
            return false
        }
        guard goesOn else {
            done.signal()
            return
        }
        guard options.pause > 0 else { return send(session) }
        let box = UncheckedBox(session)
        queue.asyncAfter(deadline: .now() + options.pause) { [self] in send(box.value) }
    }

    /// Counts a message, unless the devices changed over meanwhile.
    private static func record(_ start: MonotonicTime, _ state: inout State) {
        let now = MonotonicTime.now
        guard state.pace.isWarm, let isRecorded = AlternatingRecording.isRecorded(at: start),
            isRecorded == AlternatingRecording.isRecorded(at: now)
        else { return }
        let time = now.nanoseconds - start.nanoseconds
        if isRecorded { state.recorded.record(time) } else { state.plain.record(time) }
    }
}
