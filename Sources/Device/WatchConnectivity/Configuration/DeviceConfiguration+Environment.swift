import Configuration
import DeviceShell
import EventLog
import Foundation
import LinkProtocol
import Words

extension DeviceConfiguration {
    /// The error for an environment that describes a device incorrectly.
    package struct EnvironmentError: Error, CustomStringConvertible {
        package let description: String
    }

    private enum Name {
        static let role = "WATCHLINK_ROLE"
        static let socket = "WATCHLINK_SOCKET"
        static let device = "WATCHLINK_DEVICE_ID"
        static let deviceName = "WATCHLINK_DEVICE_NAME"
        static let state = "WATCHLINK_DEVICE_STATE"
        static let file = "WATCHLINK_CONFIGURATION"
        static let pairingCode = "WATCHLINK_PAIRING_CODE"
        static let record = "WATCHLINK_RECORD"
        static let keep = "WATCHLINK_RECORD_KEEP"
        static let level = "WATCHLINK_LOG_LEVEL"
        static let faults = "WATCHLINK_FAULTS"
        static let hazards = "WATCHLINK_HAZARDS"
        static let hints = "WATCHLINK_HINTS"
        static let reply = "WATCHLINK_REPLY_TIMEOUT"
        static let acknowledgement = "WATCHLINK_ACKNOWLEDGEMENT_TIMEOUT"
    }

    /// Creates the device that the environment describes; nil if it describes none.
    ///
    /// Required: either `WATCHLINK_CONFIGURATION`, a file in the services' format that contains `device.role`, or
    /// `WATCHLINK_ROLE` (host or companion) and `WATCHLINK_SOCKET`. Optional: `WATCHLINK_DEVICE_ID` (a UUID),
    /// `WATCHLINK_DEVICE_NAME`, `WATCHLINK_DEVICE_STATE` (the state directory), `WATCHLINK_PAIRING_CODE` (for a host
    /// that requires one from new watches), `WATCHLINK_FAULTS` (faults in effect from the start, in the words of
    /// `watchlink faults`, separated by semicolons), `WATCHLINK_HAZARDS` (occasional trouble: loss, slowness, answers,
    /// deliveries, duplicates, switches, separated by commas), `WATCHLINK_HINTS` (hints that are failures, each with a line on
    /// standard error that begins with FINDING: all, or names such as file-opened-too-late, separated by commas),
    /// `WATCHLINK_REPLY_TIMEOUT` and
    /// `WATCHLINK_ACKNOWLEDGEMENT_TIMEOUT` (`LinkTimes.reply` and `LinkTimes.acknowledgement`, such as 500ms),
    /// `WATCHLINK_RECORD` (a directory in which each run makes a cassette), `WATCHLINK_RECORD_KEEP` (key paths whose
    /// values it shows, separated by spaces or commas; `*` for all) and `WATCHLINK_LOG_LEVEL` (of lines on standard error; “warning”).
    ///
    /// - Throws: An error that describes the mistake in the environment or the file.
    public init?(environment: [String: String]) throws {
        if let file = environment[Name.file] {
            try self.init(file: file)
        } else {
            guard environment[Name.role] != nil || environment[Name.socket] != nil else { return nil }
            guard let role = environment[Name.role].flatMap(DeviceRole.init(rawValue:)) else {
                let given = environment[Name.role] ?? ""
                throw EnvironmentError(description: "\(Name.role) must be “host” or “companion”, not “\(given)”")
            }
            guard let socket = environment[Name.socket], !socket.isEmpty else {
                throw EnvironmentError(description: "\(Name.socket) must be the path of the link's socket")
            }
            let identifier = try environment[Name.device].map { text in
                guard let identifier = UUID(uuidString: text) else {
                    throw EnvironmentError(description: "\(Name.device): “\(text)” is not a UUID")
                }
                return identifier
            }
            try self.init(
                role: role, socketPath: socket, stateDirectory: environment[Name.state], identifier: identifier,
                name: environment[Name.deviceName])
        }
        pairingCode = environment[Name.pairingCode] ?? pairingCode
        for text in environment[Name.faults]?.split(separator: ";") ?? [] {
            try Self.naming(Name.faults) { () throws(WordError) in try addFault(String(text)) }
        }
        try Self.naming(Name.hazards) { () throws(WordError) in try addHazards(environment[Name.hazards] ?? "") }
        failingHints = try Self.naming(Name.hints) { () throws(WordError) in
            try Hint.named(by: environment[Name.hints] ?? "")
        }
        if let folder = environment[Name.record], !folder.isEmpty {
            let kept = environment[Name.keep]?.split { $0 == " " || $0 == "," }.map(String.init)
            recording = RecordingOrder(
                into: URL(filePath: folder).standardizedFileURL.plainPath,
                keeping: kept ?? recording?.keptPaths ?? [], build: recording?.build)
        }
        times.reply = try Self.period(Name.reply, environment) ?? times.reply
        times.acknowledgement = try Self.period(Name.acknowledgement, environment) ?? times.acknowledgement
        var level = LogLevel.warning
        if let name = environment[Name.level] {
            guard let known = LogLevel(name: name) else {
                throw EnvironmentError(
                    description:
                        "\(Name.level): “\(name)” must be one of \(LogLevel.allCases.map(\.description).joined(separator: ", "))"
                )
            }
            level = known
        }
        let recent = RecentEvents()
        self.recent = recent
        logger = Self.standardError(device.role.rawValue, level, recent)
    }

    /// Names the variable in an error about its words.
    private static func naming<Value>(_ name: String, _ parse: () throws(WordError) -> Value) throws -> Value {
        do throws(WordError) { return try parse() } catch { throw EnvironmentError(description: "\(name): \(error)") }
    }

    /// Returns the period in a variable; nil without the variable.
    private static func period(_ name: String, _ environment: [String: String]) throws -> Duration? {
        guard let text = environment[name] else { return nil }
        guard let period = WordValue.span(text), periods.contains(period / .seconds(1)) else {
            throw EnvironmentError(
                description: "\(name): “\(text)” must be a duration such as 500ms or 30s, from 10ms to 1d")
        }
        return period
    }

    /// Returns a log to standard error, because standard output belongs to the application.
    ///
    /// - Parameter recent: Also gets each record.
    static func standardError(
        _ service: String, _ level: LogLevel = .warning, _ recent: RecentEvents? = nil
    ) -> Logger {
        Logger(service: service, minimumLevel: level) { record in
            recent?.add(record)
            LogFile.put(LogFormat.text.line(record), STDERR_FILENO)
        }
    }
}
