import Metrics

/// A kind of event that is logged. Its text is an interface that tests and users' scripts match: changing one is an API
/// change. Varying data belongs in fields (``LogField``).
///
/// Each module declares its events as static members; the services assemble the catalogue of all modules.
public struct LogEvent: Sendable {
    /// The event's name: the text in the log, and the identity of the event.
    public let text: String
    /// The severity. Error: needs a person. Warning: odd but handled. Notice: life cycle. Info: messages. Debug:
    /// frames.
    public let level: LogLevel
    /// The part of the program that logs the event.
    public let subsystem: LogSubsystem
    /// An explanation for people, as the manual page prints it.
    public let meaning: String
    /// Nil for debug events: frames and the like have their own metrics.
    let counter: Counter.Cell?

    private static let counter = MetricRegistry.process.counter(
        "watchlink_events_total",
        help: "Log events by kind, including those below the log level; debug events are not counted.",
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
