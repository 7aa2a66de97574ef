import DeviceEngine
import DeviceShell
import EventLog
import Timeline
import VirtualTime
import WatchConnectivity

/// The calls of a process's delegate, paired with the state of its ledger at the time, from its log: the status of the
/// latest message and of the latest transfer.
struct DelegateCalls {
    let pairs: Set<Coverage.Pair>

    private static let calls: Set<LogEvent> = [
        .sessionActivated, .sessionActivationFailed, .sessionInactive, .sessionDeactivated, .reachabilityChanged,
        .companionChanged, .messageReceived, .messageReplied, .messageFailed, .transferReceived, .transferFinished,
        .transferFailed, .transferCancelled,
    ]
    private static let messages: Set<LogEvent> = [.messageSent, .messageReceived, .messageReplied, .messageFailed]
    private static let transfers: Set<LogEvent> = [
        .transferQueued, .transferSent, .transferInterrupted, .transferFinished, .transferFailed, .transferCancelled,
        .transferReceived, .transferDelivered,
    ]

    init(_ process: ProcessOutcome) {
        var (message, transfer) = ("no message", "no transfer")
        var pairs: Set<Coverage.Pair> = []
        for line in process.errors.split(separator: UInt8(ascii: "\n")) {
            guard let line = line.withUnsafeBytes({ LogLine.parse($0) }) else { continue }
            let what = line.event.text + (line.fields["kind"].map { " kind=\($0)" } ?? "")
            if Self.calls.contains(line.event) {
                pairs.insert(Coverage.Pair("\(process.name): \(message), \(transfer)", what))
            }
            if Self.messages.contains(line.event) { message = line.event.text }
            if Self.transfers.contains(line.event) { transfer = what }
        }
        self.pairs = pairs
    }
}
