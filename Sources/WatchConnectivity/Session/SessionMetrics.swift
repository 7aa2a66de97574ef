import LinkProtocol
import Metrics

/// What a session measures.
enum SessionMetrics {
    private struct Key: Hashable {
        let kind: TransferKind
        let direction: LedgerEntry.Direction
        let state: LedgerEntry.State
    }

    private static let messages = MetricRegistry.process.counter(
        "watchlink_messages_total", help: "Messages and transfers, by each status that they took.",
        labels: "kind", "direction", "status")
    private static let bytes = MetricRegistry.process.counter(
        "watchlink_message_bytes_total", help: "Payloads that were sent or received, each try counted.",
        labels: "kind", "direction")
    /// Made beforehand: every message is counted several times.
    private static let cells: [Key: (messages: Counter.Cell, bytes: Counter.Cell)] = {
        var cells: [Key: (messages: Counter.Cell, bytes: Counter.Cell)] = [:]
        for kind in TransferKind.allCases {
            for direction in LedgerEntry.Direction.allCases {
                let bytes = bytes.cell(kind.rawValue, direction.rawValue)
                for state in LedgerEntry.State.allCases {
                    let messages = messages.cell(kind.rawValue, direction.rawValue, state.rawValue)
                    cells[Key(kind: kind, direction: direction, state: state)] = (messages, bytes)
                }
            }
        }
        return cells
    }()

    static let replySeconds = MetricRegistry.process.histogram(
        "watchlink_reply_seconds", help: "From the application's call to the reply to it.", bounds: Histogram.latencies,
        label: "kind")
    static let faults = MetricRegistry.process.counter(
        "watchlink_faults_injected_total", help: "Packages that a fault on demand met.", labels: "effect")

    static func count(
        _ kind: TransferKind, _ direction: LedgerEntry.Direction, _ state: LedgerEntry.State, bytes count: Int
    ) {
        let cell = cells[Key(kind: kind, direction: direction, state: state)]
        cell?.messages.add()
        cell?.bytes.add(count)
    }
}
