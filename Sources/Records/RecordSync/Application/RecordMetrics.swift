import Locking
import Metrics
import RecordStorage

/// The metrics of a host's receiver of one kind.
struct RecordMetrics: Sendable {
    let durableSeconds: Histogram.Cell
    let batch: Histogram.Cell
    let decodeErrors: Counter

    /// The metrics by the names of their kinds: a process registers each once.
    private static let known = Mutex<[String: RecordMetrics]>([:])

    /// Returns the metrics of a kind.
    static func of(_ kind: RecordKind) -> RecordMetrics {
        known.withLock { known in
            if let metrics = known[kind.name] { return metrics }
            let metrics = RecordMetrics(kind)
            known[kind.name] = metrics
            return metrics
        }
    }

    private init(_ kind: RecordKind) {
        let (name, plural, registry) = (kind.name, kind.plural, MetricRegistry.process)
        durableSeconds = registry.histogram(
            "watchlink_\(name)_durable_seconds", help: "Time from \(kind.withArticle)'s arrival to its commit.",
            bounds: Histogram.latencies
        ).cell()
        batch = registry.histogram(
            "watchlink_\(name)_batch_size", help: "\(plural.prefix(1).uppercased() + plural.dropFirst()) per commit.",
            bounds: Histogram.sizes
        ).cell()
        decodeErrors = registry.counter(
            "watchlink_\(name)_decode_errors_total", help: "Messages rejected as \(plural), by cause.", labels: "cause")
    }
}
