package import LinkProtocol
package import Metrics

/// A session's metrics.
package enum SessionMetrics {
    private typealias Cells = (messages: Counter.Cell, bytes: Counter.Cell)

    private static let messages = MetricRegistry.process.counter(
        "watchlink_messages_total", help: "Messages and transfers, by each status that they reached.",
        labels: "kind", "direction", "status")
    private static let bytes = MetricRegistry.process.counter(
        "watchlink_message_bytes_total", help: "Bytes of the payloads sent or received, counting each attempt.",
        labels: "kind", "direction")
    /// Created in advance, because every message is counted several times. One flat table: with nested ones, each
    /// lookup would retain the inner ones.
    private static let cells: [Cells?] = {
        var cells = [Cells?](repeating: nil, count: 1 << (3 * placeBits))
        for kind in TransferKind.allCases {
            for direction in LedgerEntry.Direction.allCases {
                let bytes = bytes.cell(kind.rawValue, direction.rawValue)
                for state in LedgerEntry.State.allCases {
                    cells[place(kind, direction, state)] = (
                        messages.cell(kind.rawValue, direction.rawValue, state.rawValue), bytes
                    )
                }
            }
        }
        return cells
    }()

    /// No enumeration here has more than eight cases.
    private static let placeBits = 3

    private static func place(
        _ kind: TransferKind, _ direction: LedgerEntry.Direction, _ state: LedgerEntry.State
    ) -> Int {
        CaseTable<TransferKind, Void>.place(kind) << (2 * placeBits)
            | CaseTable<LedgerEntry.Direction, Void>.place(direction) << placeBits
            | CaseTable<LedgerEntry.State, Void>.place(state)
    }

    private static let replySeconds = MetricRegistry.process.histogram(
        "watchlink_reply_seconds", help: "The time from the app's call to its reply.", bounds: Histogram.latencies,
        label: "kind")
    private static let replies = CaseTable { (kind: TransferKind) in replySeconds.cell(kind.rawValue) }

    package static let faults = MetricRegistry.process.counter(
        "watchlink_faults_injected_total", help: "Packages affected by an injected fault.", labels: "effect")

    package static let overdueCalls = MetricRegistry.process.counter(
        "watchlink_delegate_calls_overdue_total",
        help: "Delegate methods and handlers still running after 5 seconds, and again after 60.", labels: "method"
    )

    package static func count(
        _ kind: TransferKind, _ direction: LedgerEntry.Direction, _ state: LedgerEntry.State, bytes count: Int
    ) {
        let cell = cells[place(kind, direction, state)]
        cell?.messages.add()
        cell?.bytes.add(count)
    }

    package static func replied(_ kind: TransferKind, after seconds: Double) { replies[kind]?.observe(seconds) }
}
