import LinkProtocol
import Metrics

/// What a session measures.
enum SessionMetrics {
    private typealias Cells = (messages: Counter.Cell, bytes: Counter.Cell)

    private static let messages = MetricRegistry.process.counter(
        "watchlink_messages_total", help: "Messages and transfers, by each status that they took.",
        labels: "kind", "direction", "status")
    private static let bytes = MetricRegistry.process.counter(
        "watchlink_message_bytes_total", help: "Payloads that were sent or received, each try counted.",
        labels: "kind", "direction")
    /// Made beforehand: every message is counted several times.
    private static let cells = CaseTable { (kind: TransferKind) in
        CaseTable { (direction: LedgerEntry.Direction) in
            let bytes = bytes.cell(kind.rawValue, direction.rawValue)
            return CaseTable { (state: LedgerEntry.State) -> Cells in
                (messages.cell(kind.rawValue, direction.rawValue, state.rawValue), bytes)
            }
        }
    }

    private static let replySeconds = MetricRegistry.process.histogram(
        "watchlink_reply_seconds", help: "From the application's call to the reply to it.", bounds: Histogram.latencies,
        label: "kind")
    private static let replies = CaseTable { (kind: TransferKind) in replySeconds.cell(kind.rawValue) }

    static let faults = MetricRegistry.process.counter(
        "watchlink_faults_injected_total", help: "Packages that a fault on demand met.", labels: "effect")

    static func count(
        _ kind: TransferKind, _ direction: LedgerEntry.Direction, _ state: LedgerEntry.State, bytes count: Int
    ) {
        let cell = cells[kind]?[direction]?[state]
        cell?.messages.add()
        cell?.bytes.add(count)
    }

    static func replied(_ kind: TransferKind, after time: Duration) { replies[kind]?.observe(time.inSeconds) }
}
