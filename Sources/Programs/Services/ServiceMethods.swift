import Configuration
import ControlSocket
import DeviceControl
import EventLog
import Foundation
import Glibc
import Metrics

/// The control methods that both services share: log levels, latest events, metrics, the end.
final class ServiceMethods: Sendable {
    private let log: ServiceLog

    init(_ log: ServiceLog) { self.log = log }

    /// Answers a request; nil for an unknown method.
    func answer(_ method: String, _ params: JSONValue) -> Result<JSONValue, ControlError>? {
        switch method {
        case "log.levels": .success(levels)
        case "log.set": Result { () throws(ControlError) in try set(params) }
        case "metrics": .success(.string(MetricRegistry.process.text()))
        case "events": .success(log.recent.report(params))
        case "stop": .success(stop())
        case "time": .success(.number(Date().timeIntervalSince1970))
        default: nil
        }
    }

    private var levels: JSONValue {
        .object(
            Dictionary(
                LogCatalogue.subsystems.map { ($0.name, .string(log.logger.levels[$0].description)) },
                uniquingKeysWith: { a, _ in a }))
    }

    /// Ends the service as SIGTERM does: pending work is finished, and a second request ends it immediately.
    private func stop() -> JSONValue {
        kill(getpid(), SIGTERM)
        return ["process": .integer(Int64(getpid()))]
    }

    private func set(_ params: JSONValue) throws(ControlError) -> JSONValue {
        let deed: LogLevelDeed = try params.deed()
        for change in deed.changes {
            log.logger.levels.set(change.level, for: change.subsystem)
            log.logger.log(.logLevelChanged, [.reason("\(change.subsystem?.name ?? "all") \(change.level)")])
        }
        return levels
    }
}
