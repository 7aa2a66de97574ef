import Metrics

/// A kind of event that is logged. Its text is an interface, matched by tests and by people's scripts: changing one is changing an API. What varies goes
/// into fields (``LogField``).
///
/// Each module declares its own, as static members; the services put the catalogue of all of them together.
public struct LogEvent: Sendable {
    public let text: String
    /// How much it matters. Error: needs a person. Warning: odd but handled. Notice: life cycle. Info: each message. Debug: each frame.
    public let level: LogLevel
    /// The part of the program that says it.
    public let subsystem: LogSubsystem
    /// What it tells a person, as the manual page lists it.
    public let meaning: String
    /// Nil for events for debugging: frames and the like have metrics of their own.
    let counter: Counter.Cell?

    private static let counter = MetricRegistry.process.counter(
        "watchlink_events_total",
        help: "Events of the log, whether or not they were written; without those for debugging.",
        labels: "event", "level")

    package init(_ text: String, _ level: LogLevel, _ subsystem: LogSubsystem, _ meaning: String) {
        (self.text, self.level, self.subsystem, self.meaning) = (text, level, subsystem, meaning)
        counter = level < .debug ? Self.counter.cell(text, level.description) : nil
    }
}

extension LogEvent: Hashable {
    public static func == (left: LogEvent, right: LogEvent) -> Bool { left.text == right.text }
    public func hash(into hasher: inout Hasher) { hasher.combine(text) }
}

extension LogEvent: CustomStringConvertible {
    public var description: String { text }
}
