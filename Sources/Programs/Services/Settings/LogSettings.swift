import Configuration
import EventLog
import Foundation
import Glibc
import ServiceRuntime
import Words

/// A service's log settings: options override the configuration, which overrides the defaults.
struct LogSettings: Equatable {
    /// The allowed formats: “auto”, or a format's name.
    static let formats = ["auto"] + LogFormat.allCases.map(\.rawValue)
    /// The value that turns a file off.
    static let none = "none"

    let level: LogLevel
    /// The levels of single subsystems.
    let levels: [LogSubsystem: LogLevel]
    /// The format on standard error; nil to choose by its reader.
    let format: LogFormat?
    /// The log file's path; nil for none.
    let file: String?
    let fileFormat: LogFormat
    /// The size in bytes at which the file is rotated.
    let maximumBytes: Int
    let keptFiles: Int

    init(
        _ section: ConfigurationFile, options: ParsedOptions, state: StateDirectory, service: String
    ) throws {
        let names = LogLevel.allCases.map { ($0.description, $0) }
        let formats = Self.formats.map { ($0, LogFormat(rawValue: $0)) }
        let configuredLevel = try section.choice("level", among: names)
        let configuredFormat = try section.choice("format", among: formats)
        let configuredFile = try section.filePath("file")
        level = try Self.option("log-level", options, among: names) ?? configuredLevel ?? .info
        levels = try Self.levels(try section.section("levels"), among: names)
        format = try Self.option("log-format", options, among: formats) ?? configuredFormat ?? nil
        let name = options["log-file"] ?? configuredFile ?? "\(service).log"
        file = name == Self.none ? nil : state.path(of: name)
        let fileFormats: [(String, LogFormat)] = [("text", .text), ("json", .json)]
        // JSON requested for standard error also applies to the file.
        fileFormat = try section.choice("fileFormat", among: fileFormats) ?? (format == .json ? .json : .text)
        maximumBytes = try section.count("maximumBytes", within: 4_096...1_073_741_824) ?? LogFile.maximumBytes
        keptFiles = try section.count("keptFiles", within: 1...100) ?? LogFile.keptFiles
    }

    /// Applies these levels.
    func apply(to levels: LogLevels) {
        levels.set(level)
        for (subsystem, level) in self.levels { levels.set(level, for: subsystem) }
    }

    private static func levels(
        _ section: ConfigurationFile, among names: [(String, LogLevel)]
    ) throws -> [LogSubsystem: LogLevel] {
        var levels: [LogSubsystem: LogLevel] = [:]
        for subsystem in LogCatalogue.subsystems {
            levels[subsystem] = try section.choice(subsystem.name, among: names)
        }
        return levels
    }

    private static func option<Value>(
        _ name: String, _ options: ParsedOptions, among choices: [(String, Value)]
    ) throws(UsageError) -> Value? {
        guard let text = options[name] else { return nil }
        guard let choice = choices.first(where: { $0.0 == text }) else {
            throw UsageError("\(WordError.unknown(text, subject: "--\(name)", allowed: choices.map(\.0)))")
        }
        return choice.1
    }
}
