import Foundation
import Metrics

/// Adds the wall-clock time to events, and passes those within their subsystem's level to a sink.
public struct Logger: Sendable {
    /// The name of the program in each record.
    public let service: String
    /// The levels of the subsystems; shared by all copies of the logger.
    public let levels: LogLevels
    private let sink: @Sendable (LogRecord) -> Void

    /// Creates a logger with shared levels.
    public init(service: String, levels: LogLevels, sink: @escaping @Sendable (LogRecord) -> Void) {
        self.service = service
        self.levels = levels
        self.sink = sink
    }

    /// Creates a logger with its own levels.
    public init(service: String, minimumLevel: LogLevel = .info, sink: @escaping @Sendable (LogRecord) -> Void) {
        self.init(service: service, levels: LogLevels(minimumLevel), sink: sink)
    }

    /// A logger without output, for code that runs outside a service.
    public static let silent = Logger(service: "", minimumLevel: .emergency) { _ in }

    /// Counts an event, and passes it to the sink if its level allows; only then are the fields evaluated.
    public func log(_ event: LogEvent, _ fields: @autoclosure () -> [LogField] = []) {
        event.counter?.add()
        guard event.level <= levels[event.subsystem] else { return }
        sink(LogRecord(time: Date(), service: service, event: event, fields: fields()))
    }
}
