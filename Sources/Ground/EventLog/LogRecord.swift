public import Foundation

/// A line of the log before it is formatted.
public struct LogRecord: Sendable {
    /// The wall-clock time of the event.
    public let time: Date
    /// The program that logs: “host” or “companion”.
    public let service: String
    /// The kind of event.
    public let event: LogEvent
    /// The event's data, in the order of the log line.
    public let fields: [LogField]

    /// Creates a record.
    public init(time: Date, service: String, event: LogEvent, fields: [LogField]) {
        self.time = time
        self.service = service
        self.event = event
        self.fields = fields
    }
}
