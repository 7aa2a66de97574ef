import Configuration
import EventLog
import Foundation
public import LinkProtocol
public import ServiceRuntime
import WatchConnectivity

/// Everything that a service's configuration says, with the defaults filled in.
public struct ServiceSettings {
    let role: DeviceRole
    let state: StateDirectory
    let log: LogSettings
    let controlSocket: String
    let database: String
    let device: DeviceConfiguration
    /// Companion only: the delays between tries to deliver a quiz.
    let outboxBackoff: Backoff
    /// Host only: which quizzes are kept.
    let retention: Retention
    /// Where the metrics are written; nil for nowhere.
    let metricsFile: String?
    let metricsInterval: Duration
    let countsUsage: Bool
    /// The file, for where a value came from.
    let file: ConfigurationFile
    let options: ParsedOptions

    /// Reads them.
    ///
    /// - Parameters:
    ///   - leavingOut: Keys of the file that are read as if they were not there.
    ///   - isDry: Whether nothing is made on the disk, as for a check.
    init(role: DeviceRole, options: ParsedOptions, leavingOut: Set<String> = [], isDry: Bool = false) throws {
        self.role = role
        self.options = options
        let state = StateDirectory(option: options["state-directory"])
        self.state = state
        if !isDry { try PrivateDirectory.create(state.path) }
        file = try ConfigurationFile(path: options["config"], leavingOut: leavingOut)
        log = try LogSettings(
            try file.section("log"), options: options, state: state, service: role.rawValue)
        controlSocket =
            try file.section("control").filePath("socket").map(state.path(of:))
            ?? state.controlSocket(of: role.rawValue)
        let section = try file.section("database")
        database = try section.filePath("file").map(state.path(of:)) ?? state.database(of: role.rawValue)
        retention = role == .host ? try Retention(section) : Retention()
        // The application is made for many watches at once; Apple's way is a setting.
        var device = try DeviceConfiguration(
            role: role, device: try file.section("device"), file: file, defaultSocket: state.linkSocket,
            directory: state.device(of: role.rawValue), path: state.path(of:),
            identityFile: isDry ? nil : state.identity(of: role.rawValue), serving: .all)
        device.diskDirectory = state.path
        self.device = device
        var backoff = Backoff.delivery
        if role == .companion {
            let outbox = try file.section("outbox")
            backoff.initial = try outbox.seconds("firstRetry", within: 0.01...86_400) ?? backoff.initial
            backoff.maximum = try outbox.seconds("longestRetry", within: 0.01...86_400) ?? backoff.maximum
            try outbox.require("firstRetry", backoff.initial, atMost: "longestRetry", backoff.maximum)
        }
        outboxBackoff = backoff
        let metrics = try file.section("metrics")
        metricsFile = try metrics.filePath("file").flatMap { $0 == LogSettings.none ? nil : state.path(of: $0) }
        metricsInterval = try metrics.seconds("interval", within: 1...86_400) ?? .seconds(15)
        countsUsage = try file.section("usage").flag("events") ?? false
        try file.refuseUnknownKeys()
    }

    /// Everything that is wrong with a configuration: each mistake is left out in turn to find the next one.
    public static func mistakes(role: DeviceRole, options: ParsedOptions) -> [any Error] {
        var found: [any Error] = []
        var leftOut: Set<String> = []
        // 50: whoever has more has given another kind of file.
        while found.count < 50 {
            do {
                let settings = try ServiceSettings(role: role, options: options, leavingOut: leftOut, isDry: true)
                return found + settings.exposures + settings.pathMistakes
            } catch let error as ConfigurationError {
                found.append(error)
                guard !error.key.isEmpty, leftOut.insert(error.key).inserted else { return found }
            } catch {
                return found + [error]
            }
        }
        return found
    }

    /// What of this service's own files others could read or change.
    var exposures: [PrivateDirectory.Exposed] {
        let logs = log.file.map { [$0, "\($0).1"] } ?? []
        return PrivateDirectory.exposures(
            passable: [state.path], directories: [device.stateDirectory],
            files: [database, "\(database)-wal", state.identity(of: role.rawValue)] + logs)
    }
}
