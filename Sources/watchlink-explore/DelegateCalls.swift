import EventLog
import VirtualTime

/// Which methods of its delegate a process had called in which states of its ledger, by what it logged: what became of the latest message and of
/// the latest transfer, and what the delegate was then told.
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
    /// The time, the level, and who it is.
    private static let wordsBefore = 3

    init(_ process: ProcessOutcome) {
        var (message, transfer) = ("no message", "no transfer")
        var pairs: Set<Coverage.Pair> = []
        for line in String(decoding: process.errors, as: UTF8.self).split(separator: "\n") {
            let words = line.split(separator: " ", maxSplits: Self.wordsBefore)
            guard words.count > Self.wordsBefore, words[Self.wordsBefore - 1].hasSuffix(":") else { continue }
            let fields = words[Self.wordsBefore].split(separator: " ")
            let text = fields.prefix { !$0.contains("=") }.joined(separator: " ")
            guard let event = LogEvent(rawValue: text) else { continue }
            let kind = fields.first { $0.hasPrefix("kind=") }.map { " \($0)" } ?? ""
            if Self.calls.contains(event) {
                pairs.insert(Coverage.Pair("\(process.name): \(message), \(transfer)", text + kind))
            }
            if Self.messages.contains(event) { message = text }
            if Self.transfers.contains(event) { transfer = text + kind }
        }
        self.pairs = pairs
    }
}
