public import Foundation

/// One line of the log before it is formatted.
public struct LogRecord: Sendable {
    public let time: Date
    /// Which program speaks: “host” or “companion”.
    public let service: String
    public let event: LogEvent
    public let fields: [LogField]

    public init(time: Date, service: String, event: LogEvent, fields: [LogField]) {
        self.time = time
        self.service = service
        self.event = event
        self.fields = fields
    }
}
