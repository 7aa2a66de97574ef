package import EventLog
import Foundation
import Glibc

/// The place to which messages are written, one line each, in the form of the session's own log:
/// `TIME LEVEL PROGRAM: MESSAGE subsystem=… category=…`.
package final class LogLines: Sendable {
    /// The name of the variable with the least severe level that is written: debug, info, notice, warning, error or
    /// critical. The session uses the same one.
    package static let levelVariable = "WATCHLINK_LOG_LEVEL"
    /// The level without the variable.
    package static let defaultLevel = LogLevel.info
    /// The name of the variable that shows private values if it is set to 1.
    package static let privateVariable = "WATCHLINK_LOG_PRIVATE"

    /// The lines of this process, on standard error.
    package static let process = LogLines(
        program: ProcessInfo.processInfo.processName, environment: ProcessInfo.processInfo.environment,
        write: { LogFile.put($0, STDERR_FILENO) })

    private let program: String
    /// Private values are written as they are.
    let showsPrivate: Bool
    private let level: LogLevel
    private let write: @Sendable (String) -> Void

    /// - Parameters:
    ///   - program: The name of the program in each line.
    ///   - environment: The variables of the process.
    ///   - write: Writes a line, which has no newline.
    package init(program: String, environment: [String: String], write: @escaping @Sendable (String) -> Void) {
        self.program = program
        self.write = write
        showsPrivate = environment[Self.privateVariable] == "1"
        let name = environment[Self.levelVariable]
        level = name.flatMap(LogLevel.init(name:)) ?? Self.defaultLevel
        if let name, LogLevel(name: name) == nil {
            let names = LogLevel.allCases.map(\.description).joined(separator: ", ")
            put(
                .warning, "log level unknown; using \(Self.defaultLevel)",
                [("variable", Self.levelVariable), ("given", name), ("allowed", names)])
        }
    }

    func isEnabled(_ level: LogLevel) -> Bool { level <= self.level }

    /// Writes a line. Line breaks and other control characters in it are escaped, so that no value can forge a line.
    func put(_ level: LogLevel, _ message: String, _ fields: [(key: String, value: String)]) {
        let name = level.description
        let padding = String(repeating: " ", count: max(0, Self.levelWidth - name.count))
        let words = fields.map { " \($0.key)=\(Self.word($0.value))" }.joined()
        write("\(LogFormat.timestamp(Date())) \(name)\(padding) \(program): \(Self.escaped(message))\(words)")
    }

    /// The longest name of a level, “emergency”, has nine letters.
    private static let levelWidth = 9

    /// Returns a value as one word, quoted if a space or a quote would split it.
    private static func word(_ value: String) -> String {
        let isPlain =
            !value.isEmpty && value.unicodeScalars.allSatisfy { $0 != " " && $0 != "\"" && $0 != "=" && !isControl($0) }
        guard !isPlain else { return value }
        let quoted = value.map { $0 == "\"" || $0 == "\\" ? "\\\($0)" : String($0) }.joined()
        return "\"\(escaped(quoted))\""
    }

    private static func escaped(_ text: String) -> String {
        guard text.unicodeScalars.contains(where: isControl) else { return text }
        return text.unicodeScalars.reduce(into: "") { result, scalar in
            switch scalar {
            case "\n": result += "\\n"
            case "\t": result += "\\t"
            case _ where isControl(scalar): result += String(format: "\\u%04x", scalar.value)
            default: result.unicodeScalars.append(scalar)
            }
        }
    }

    private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value)
    }
}
