import EventLog
import ServiceRuntime

/// How a service logs: options before the configuration before the defaults.
struct LogSettings: Equatable {
    let level: LogLevel
    let format: LogFormat
    /// Beside standard error.
    let file: String
    /// The file's size at which it is put aside.
    let maximumBytes: Int

    init(
        _ section: ConfigurationFile, options: ParsedOptions, state: StateDirectory, service: String
    ) throws {
        let levels = LogLevel.allCases.map { ($0.description, $0) }
        let formats = LogFormat.allCases.map { ($0.rawValue, $0) }
        let configuredLevel = try section.choice("level", among: levels)
        let configuredFormat = try section.choice("format", among: formats)
        level = try Self.option("log-level", options, among: levels) ?? configuredLevel ?? .info
        format = try Self.option("log-format", options, among: formats) ?? configuredFormat ?? .text
        file = state.path(of: try section.string("file") ?? "\(service).log")
        maximumBytes = try section.count("maximumBytes", within: 4_096...1_073_741_824) ?? LogFile.maximumBytes
    }

    private static func option<Value>(
        _ name: String, _ options: ParsedOptions, among choices: [(String, Value)]
    ) throws(UsageError) -> Value? {
        guard let text = options[name] else { return nil }
        guard let choice = choices.first(where: { $0.0 == text }) else {
            throw UsageError("--\(name) \(text): choose one of \(choices.map(\.0).joined(separator: ", "))")
        }
        return choice.1
    }
}
