import EventLog
import Foundation
import Metrics
import ServiceRuntime

/// What both services answer of themselves: log levels, latest events, metrics.
final class ServiceMethods: Sendable {
    private let log: ServiceLog

    init(_ log: ServiceLog) { self.log = log }

    /// Nil if the method is none of these.
    func answer(_ method: String, _ params: JSONValue) -> Result<JSONValue, ControlError>? {
        switch method {
        case "log.levels": .success(levels)
        case "log.set": set(params)
        case "metrics": .success(.string(MetricRegistry.process.text()))
        case "events": .success(events(params))
        case "time": .success(.number(Date().timeIntervalSince1970))
        default: nil
        }
    }

    private var levels: JSONValue {
        .object(
            Dictionary(
                log.logger.levels.all.map { ($0.subsystem.rawValue, .string($0.level.description)) },
                uniquingKeysWith: { a, _ in a }))
    }

    private func set(_ params: JSONValue) -> Result<JSONValue, ControlError> {
        guard let level = params["level"]?.string.flatMap(LogLevel.init(name:)) else {
            let names = LogLevel.allCases.map(\.description).joined(separator: ", ")
            return .failure(ControlError(ControlError.invalidParams, "the level is none of \(names)"))
        }
        var subsystem: LogSubsystem?
        if let name = params["subsystem"]?.string {
            subsystem = LogSubsystem(rawValue: name)
            guard subsystem != nil else {
                let names = LogSubsystem.allCases.map(\.rawValue).joined(separator: ", ")
                return .failure(
                    ControlError(ControlError.invalidParams, "there is no subsystem “\(name)”; there are \(names)"))
            }
        }
        log.logger.levels.set(level, for: subsystem)
        log.logger.log(.logLevelChanged, [.reason("\(subsystem?.rawValue ?? "all") \(level)")])
        return .success(levels)
    }

    /// The latest events after a place, each as the log has it.
    private func events(_ params: JSONValue) -> JSONValue {
        let (records, count) = log.recent.after(Int(params["after"]?.integer ?? 0))
        return ["place": .integer(Int64(count)), "lines": .array(records.map { .string(LogFormat.json.line($0)) })]
    }
}
