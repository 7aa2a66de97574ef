import Foundation
import Metrics

/// Takes events, stamps them with the wall clock and hands those that matter enough to a sink.
public struct Logger: Sendable {
    public let service: String
    public let levels: LogLevels
    private let sink: @Sendable (LogRecord) -> Void

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
        event.counter?.add()
        guard event.level <= levels[event.subsystem] else { return }
        sink(LogRecord(time: Date(), service: service, event: event, fields: fields()))
    }
}
