public import Foundation

/// One piece of data attached to an event. The vocabulary is closed, so that a field means the same in every event.
/// No field holds the content of a message or a person's name.
public struct LogField: Sendable, Equatable {
    /// A field's value.
    public enum Value: Sendable, Equatable {
        /// Text; the log quotes and shortens it where necessary.
        case text(String)
        /// A whole number.
        case number(Int64)
        /// A time span in seconds, printed with microseconds.
        case seconds(Double)
        /// A Boolean value.
        case flag(Bool)
    }

    /// The field's name in the log line, and its key in JSON.
    public let key: String
    /// The field's value.
    public let value: Value

    private init(_ key: String, _ value: Value) {
        self.key = key
        self.value = value
    }

    /// A package's identifier: the same on both sides and in all retries.
    public static func package(_ identifier: UUID) -> LogField { LogField("package", .text(identifier.uuidString)) }
    /// A device's identifier.
    public static func device(_ identifier: UUID) -> LogField { LogField("device", .text(identifier.uuidString)) }
    /// The role of a device: host or companion.
    public static func role(_ role: String) -> LogField { LogField("role", .text(role)) }
    /// A connection of this process, counted from 1.
    public static func connection(_ number: UInt64) -> LogField {
        LogField("connection", .number(Int64(clamping: number)))
    }
    /// The name of a command.
    public static func command(_ command: String) -> LogField { LogField("command", .text(command)) }
    /// A status, by its name.
    public static func status(_ status: String) -> LogField { LogField("status", .text(status)) }
    /// The reason for the event, in words.
    public static func reason(_ reason: String) -> LogField { LogField("reason", .text(reason)) }
    /// An error, by its description.
    public static func error(_ error: any Error) -> LogField { .error("\(error)") }
    /// The description of an error, for rules whose errors are values.
    public static func error(_ description: String) -> LogField { LogField("error", .text(description)) }
    /// The path of a file.
    public static func path(_ path: String) -> LogField { LogField("path", .text(path)) }
    /// A size in bytes.
    public static func bytes(_ count: Int) -> LogField { LogField("bytes", .number(Int64(count))) }
    /// A number of things; the event says which.
    public static func count(_ count: Int) -> LogField { LogField("count", .number(Int64(count))) }
    /// The number of the attempt, counted from 1.
    public static func attempt(_ number: Int) -> LogField { LogField("attempt", .number(Int64(number))) }
    /// The time until the next attempt, in seconds.
    public static func delay(_ seconds: Double) -> LogField { LogField("delay", .seconds(seconds)) }
    /// The time that something took, in seconds.
    public static func duration(_ seconds: Double) -> LogField { LogField("duration", .seconds(seconds)) }
    /// The reachability of the counterpart.
    public static func reachable(_ flag: Bool) -> LogField { LogField("reachable", .flag(flag)) }
    /// A user identifier of the system.
    public static func user(_ identifier: UInt32) -> LogField { LogField("user", .number(Int64(identifier))) }
    /// A process identifier.
    public static func process(_ identifier: Int32) -> LogField { LogField("process", .number(Int64(identifier))) }
    /// The name of a signal.
    public static func signal(_ name: String) -> LogField { LogField("signal", .text(name)) }
    /// A version.
    public static func version(_ version: String) -> LogField { LogField("version", .text(version)) }
    /// The name of a control method.
    public static func method(_ name: String) -> LogField { LogField("method", .text(name)) }
    /// The kind of a message or transfer: a `TransferKind`.
    public static func kind(_ kind: String) -> LogField { LogField("kind", .text(kind)) }
    /// The state of an app, by its name.
    public static func application(_ state: String) -> LogField { LogField("application", .text(state)) }
    /// The name of a hint.
    public static func hint(_ name: String) -> LogField { LogField("hint", .text(name)) }
    /// The identifier of the related message: the one that replaced this one.
    public static func related(_ identifier: UUID) -> LogField { LogField("related", .text(identifier.uuidString)) }
    /// The condition of a link, in the words that set it.
    public static func condition(_ words: String) -> LogField { LogField("condition", .text(words)) }
    /// A fault rule, in the words that set it.
    public static func fault(_ words: String) -> LogField { LogField("fault", .text(words)) }
    /// An offset in a file, in bytes.
    public static func offset(_ offset: Int64) -> LogField { LogField("offset", .number(offset)) }
    /// A row's sequence number in its database.
    public static func sequence(_ number: Int64) -> LogField { LogField("sequence", .number(number)) }
}
