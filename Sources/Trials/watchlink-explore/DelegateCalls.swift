import EventLog
import VirtualTime
import WatchConnectivity

/// Which methods of its delegate a process had called in which states of its ledger, by what it logged: what became of the latest message and of
/// the latest transfer, and what the delegate was then told.
struct DelegateCalls {
    let pairs: Set<Coverage.Pair>

    private static let calls = texts([
        .sessionActivated, .sessionActivationFailed, .sessionInactive, .sessionDeactivated, .reachabilityChanged,
        .companionChanged, .messageReceived, .messageReplied, .messageFailed, .transferReceived, .transferFinished,
        .transferFailed, .transferCancelled,
    ])
    private static let messages = texts([.messageSent, .messageReceived, .messageReplied, .messageFailed])
    private static let transfers = texts([
        .transferQueued, .transferSent, .transferInterrupted, .transferFinished, .transferFailed, .transferCancelled,
        .transferReceived, .transferDelivered,
    ])
    /// The time, the level, and who it is.
    private static let wordsBefore = 3

    private static func texts(_ events: [LogEvent]) -> Set<String> { Set(events.map(\.text)) }

    init(_ process: ProcessOutcome) {
        var (message, transfer) = ("no message", "no transfer")
        var pairs: Set<Coverage.Pair> = []
        for line in String(decoding: process.errors, as: UTF8.self).split(separator: "\n") {
            let words = line.split(separator: " ", maxSplits: Self.wordsBefore)
            guard words.count > Self.wordsBefore, words[Self.wordsBefore - 1].hasSuffix(":") else { continue }
            let fields = words[Self.wordsBefore].split(separator: " ")
            let text = fields.prefix { !$0.contains("=") }.joined(separator: " ")
            let kind = fields.first { $0.hasPrefix("kind=") }.map { " \($0)" } ?? ""
            if Self.calls.contains(text) {
                pairs.insert(Coverage.Pair("\(process.name): \(message), \(transfer)", text + kind))
            }
            if Self.messages.contains(text) { message = text }
            if Self.transfers.contains(text) { transfer = text + kind }
        }
        self.pairs = pairs
    }
}
