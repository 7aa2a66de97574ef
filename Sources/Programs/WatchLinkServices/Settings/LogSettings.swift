import Configuration
import EventLog
import Foundation
import Glibc
import ServiceRuntime
import Words

/// How a service logs: options before the configuration before the defaults.
struct LogSettings: Equatable {
    /// “auto”, or a format's name.
    static let formats = ["auto"] + LogFormat.allCases.map(\.rawValue)
    /// For a file that is not wanted.
    static let none = "none"

    let level: LogLevel
    /// Subsystems with a level of their own.
    let levels: [LogSubsystem: LogLevel]
    /// On standard error; nil for what suits its reader.
    let format: LogFormat?
    /// Beside standard error; nil for nowhere.
    let file: String?
    let fileFormat: LogFormat
    /// The file's size at which it is put aside.
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
        // Who asks for JSON wants it from wherever the lines are read.
        fileFormat = try section.choice("fileFormat", among: fileFormats) ?? (format == .json ? .json : .text)
        maximumBytes = try section.count("maximumBytes", within: 4_096...1_073_741_824) ?? LogFile.maximumBytes
        keptFiles = try section.count("keptFiles", within: 1...100) ?? LogFile.keptFiles
    }

    /// Makes these the levels that hold.
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
