/// A recorder that counts users' actions in the application: named events and durations, as local metrics.
///
/// It is off unless the operator turns it on, and records only numbers: it does not record who did what, and nothing
/// leaves the machine. The names are literals, so that no content can become one.
public struct UsageRecorder: Sendable {
    /// A user action. An application declares its events as static members.
    public struct Event: Sendable {
        let name: String

        package init(_ name: StaticString) { self.name = "\(name)" }

        /// Creates an action with a thing of a kind, whose name is the application's: “workout finished”.
        package init(_ action: StaticString, of kind: String) { name = "\(kind) \(action)" }
    }

    /// A duration that users experience. An application declares its spans as static members.
    public struct Span: Sendable {
        let name: String

        package init(_ name: StaticString) { self.name = "\(name)" }
    }

    private static let events = MetricRegistry.process.counter(
        "watchlink_usage_events_total", help: "User actions; recorded only if the configuration enables it.",
        labels: "event"
    )
    private static let spans = MetricRegistry.process.histogram(
        "watchlink_usage_seconds", help: "Durations users experience; recorded only if the configuration enables it.",
        bounds: Histogram.latencies, label: "span")

    /// True if usage is recorded.
    public let isOn: Bool

    /// Creates a recorder that is on or off.
    public init(isOn: Bool) { self.isOn = isOn }

    /// Counts an event, if the recorder is on.
    public func record(_ event: Event, count: Int = 1) {
        if isOn { Self.events.add(count, event.name) }
    }

    /// Records a duration in seconds, if the recorder is on.
    public func record(_ span: Span, seconds: Double) {
        if isOn { Self.spans.observe(seconds, span.name) }
    }

    /// Runs a closure and records its duration. Nothing is recorded if it throws.
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
