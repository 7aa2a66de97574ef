import Foundation
import Metrics

/// Takes events, stamps them with the wall clock and hands those that matter enough to a sink.
public struct Logger: Sendable {
    public let service: String
    public let levels: LogLevels
    private let sink: @Sendable (LogRecord) -> Void

    /// Of this process. Debug events, one for each frame, have metrics of their own.
    private static let counter = MetricRegistry.process.counter(
        "watchlink_events_total",
        help: "Events of the log, whether or not they were written; without those for debugging.",
        labels: "event", "level")

    private static let cells = CaseTable<LogEvent, Counter.Cell?> { event in
        event.level < .debug ? counter.cell(event.rawValue, event.level.description) : nil
    }

    public init(service: String, levels: LogLevels, sink: @escaping @Sendable (LogRecord) -> Void) {
        self.service = service
        self.levels = levels
        self.sink = sink
    }

    public init(service: String, minimumLevel: LogLevel = .info, sink: @escaping @Sendable (LogRecord) -> Void) {
        self.init(service: service, levels: LogLevels(minimumLevel), sink: sink)
    }

    /// Logs nothing: for code that runs outside of a service.
    public static let silent = Logger(service: "", minimumLevel: .emergency) { _ in }

    public func log(_ event: LogEvent, _ fields: @autoclosure () -> [LogField] = []) {
        let level = event.level
        if level < .debug { Self.cells[event]??.add() }
        guard level <= levels[event.subsystem] else { return }
        sink(LogRecord(time: Date(), service: service, event: event, fields: fields()))
    }
}
