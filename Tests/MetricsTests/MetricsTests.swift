import Foundation
import Metrics
import Testing

@Suite("Metrics")
struct MetricsTests {
    private let registry = MetricRegistry()

    @Test("Counters, gauges and histograms are Prometheus text, in the order of their names")
    func text() {
        let counter = registry.counter("wl_messages_total", help: "Messages.", labels: "kind", "status")
        counter.add(1, "quiz", "sent")
        counter.add(2, "quiz", "sent")
        counter.add(1, "file", "a \"b\"\\\n")
        registry.gauge("wl_age_seconds", help: "Age.") { 1.5 }
        let histogram = registry.histogram("wl_reply_seconds", help: "Replies.", bounds: [0.1, 1], label: "kind")
        for value in [0.05, 0.1, 0.5, 7] { histogram.observe(value, "quiz") }
        #expect(
            registry.text() == """
                # HELP wl_age_seconds Age.
                # TYPE wl_age_seconds gauge
                wl_age_seconds 1.5
                # HELP wl_messages_total Messages.
                # TYPE wl_messages_total counter
                wl_messages_total{kind="file",status="a \\"b\\"\\\\\\n"} 1
                wl_messages_total{kind="quiz",status="sent"} 3
                # HELP wl_reply_seconds Replies.
                # TYPE wl_reply_seconds histogram
                wl_reply_seconds_bucket{kind="quiz",le="0.1"} 2
                wl_reply_seconds_bucket{kind="quiz",le="1"} 3
                wl_reply_seconds_bucket{kind="quiz",le="+Inf"} 4
                wl_reply_seconds_sum{kind="quiz"} 7.65
                wl_reply_seconds_count{kind="quiz"} 4

                """)
    }

    @Test("Nothing that a peer says makes the series endless")
    func bounded() {
        let counter = registry.counter("wl_total", help: "All.", labels: "cause")
        for number in 0..<10_000 { counter.add(1, "cause \(number)") }
        let lines = registry.text().split(separator: "\n").filter { !$0.hasPrefix("#") }
        #expect(lines.count <= 257)
        #expect(lines.contains { $0.contains("other") }, "\(lines)")
        #expect(lines.compactMap { $0.split(separator: " ").last.flatMap { Int($0) } }.reduce(0, +) == 10_000)
    }

    @Test("Usage is counted only where it was asked for")
    func usage() {
        func samples() -> Int {
            MetricRegistry.process.text().split(separator: "\n").count {
                $0.hasPrefix("watchlink_usage_events_total{") || $0.hasPrefix("watchlink_usage_seconds_count{")
            }
        }
        let (event, span) = (UsageRecorder.Event("quiz finished"), UsageRecorder.Span("history"))
        let off = UsageRecorder(isOn: false)
        off.record(event)
        #expect(off.time(span) { 3 } == 3)
        #expect(samples() == 0)
        let on = UsageRecorder(isOn: true)
        on.record(event)
        #expect(on.time(span) { 4 } == 4)
        #expect(samples() == 2)
    }
}
