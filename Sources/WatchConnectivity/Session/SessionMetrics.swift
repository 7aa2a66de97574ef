import Metrics

/// What a session measures.
enum SessionMetrics {
    static let messages = MetricRegistry.process.counter(
        "watchlink_messages_total", help: "Messages and transfers, by each status that they took.",
        labels: "kind", "direction", "status")
    static let bytes = MetricRegistry.process.counter(
        "watchlink_message_bytes_total", help: "Payloads that were sent or received, each try counted.",
        labels: "kind", "direction")
    static let replySeconds = MetricRegistry.process.histogram(
        "watchlink_reply_seconds", help: "From the application's call to the reply to it.", bounds: Histogram.latencies,
        label: "kind")
    static let faults = MetricRegistry.process.counter(
        "watchlink_faults_injected_total", help: "Packages that a fault on demand met.", labels: "effect")
}
