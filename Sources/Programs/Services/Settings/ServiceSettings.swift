import Configuration
import EventLog
import Foundation
public import LinkProtocol
public import ServiceRuntime
import WatchConnectivity

/// A service's configuration with defaults filled in.
public struct ServiceSettings {
    let role: DeviceRole
    let state: StateDirectory
    let log: LogSettings
    let controlSocket: String
    let database: DatabaseSettings
    let device: DeviceConfiguration
    /// The delays between attempts to deliver a quiz; companion only.
    let outboxBackoff: Backoff
    /// The rule for which quizzes are kept; host only.
    let retention: Retention
    /// The path of the metrics file; nil for none.
    let metricsFile: String?
    let metricsInterval: Duration
    let countsUsage: Bool
    /// The configuration file, which knows the line of each value.
    let file: ConfigurationFile
    let options: ParsedOptions

    /// Reads the settings.
    ///
    /// - Parameters:
    ///   - leavingOut: Keys of the file to ignore.
    ///   - isDry: True to create nothing on the disk, as for a check.
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
        // The host serves all its watches at the same time; Apple's behaviour is a setting.
        var device = try DeviceConfiguration(
            role: role, device: try file.section("device"), file: file, defaultSocket: state.linkSocket,
            directory: state.device(of: role.rawValue), path: state.path(of:),
            identityFile: isDry ? nil : state.identity(of: role.rawValue), serving: .all)
        device.diskDirectory = state.path
        self.device = device
        let section = try file.section("database")
        database = try DatabaseSettings(
            section, defaultFile: state.database(of: role.rawValue), path: state.path(of:),
            // The identity lasts as long as the state directory, and no other host has it.
            host: role == .host ? device.device.identifier.uuidString : nil)
        retention = role == .host ? try Retention(section) : Retention()
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

    /// Returns all errors in a configuration: each wrong key is ignored in turn to find the next error.
    public static func mistakes(role: DeviceRole, options: ParsedOptions) -> [any Error] {
        var found: [any Error] = []
        var leftOut: Set<String> = []
        // 50: a file with more errors is not a configuration.
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

    /// The files of this service that other users can read or write.
    var exposures: [PrivateDirectory.Exposed] {
        let logs = log.file.map { [$0, "\($0).1"] } ?? []
        return PrivateDirectory.exposures(
            passable: [state.path], directories: [device.stateDirectory],
            files: [database.file, "\(database.file)-wal", state.identity(of: role.rawValue)] + logs)
    }
}
