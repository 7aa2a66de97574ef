/// Counts what people do with the application: named events and timed spans, as local metrics.
///
/// Off unless the operator asks for it, and never more than a number: nothing tells who did what, and nothing leaves the
/// machine. The names are literals, so that no content can become one.
public struct UsageRecorder: Sendable {
    /// Something that people do. An application declares its own, as static members.
    public struct Event: Sendable {
        let name: String

        package init(_ name: StaticString) { self.name = "\(name)" }
    }

    /// Something that people wait for. An application declares its own, as static members.
    public struct Span: Sendable {
        let name: String

        package init(_ name: StaticString) { self.name = "\(name)" }
    }

    private static let events = MetricRegistry.process.counter(
        "watchlink_usage_events_total", help: "What people did; only if the configuration asks for it.", labels: "event"
    )
    private static let spans = MetricRegistry.process.histogram(
        "watchlink_usage_seconds", help: "How long it took people; only if the configuration asks for it.",
        bounds: Histogram.latencies, label: "span")

    public let isOn: Bool

    public init(isOn: Bool) { self.isOn = isOn }

    public func record(_ event: Event, count: Int = 1) {
        if isOn { Self.events.add(count, event.name) }
    }

    public func record(_ span: Span, seconds: Double) {
        if isOn { Self.spans.observe(seconds, span.name) }
    }

    /// Runs a closure and records how long it took.
    public func time<Result, Failure: Error>(
        _ span: Span, _ body: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        guard isOn else { return try body() }
        let start = ContinuousClock.now
        let result = try body()
        let (seconds, attoseconds) = (ContinuousClock.now - start).components
        record(span, seconds: Double(seconds) + Double(attoseconds) / 1e18)
        return result
    }
}
