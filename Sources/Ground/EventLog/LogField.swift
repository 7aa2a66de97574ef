public import Foundation

/// One piece of data beside an event's text. The vocabulary is closed, so that a field means the same in every event.
/// No field ever holds what a message says or what a person is called.
public struct LogField: Sendable, Equatable {
    public enum Value: Sendable, Equatable {
        case text(String)
        case number(Int64)
        case seconds(Double)
        case flag(Bool)
    }

    public let key: String
    public let value: Value

    private init(_ key: String, _ value: Value) {
        self.key = key
        self.value = value
    }

    /// A package's identifier, the same on both sides and over all retries.
    public static func package(_ identifier: UUID) -> LogField { LogField("package", .text(identifier.uuidString)) }
    /// A device's identifier.
    public static func device(_ identifier: UUID) -> LogField { LogField("device", .text(identifier.uuidString)) }
    public static func role(_ role: String) -> LogField { LogField("role", .text(role)) }
    /// Which connection of this process, counted from 1.
    public static func connection(_ number: UInt64) -> LogField {
        LogField("connection", .number(Int64(clamping: number)))
    }
    public static func command(_ command: String) -> LogField { LogField("command", .text(command)) }
    public static func status(_ status: String) -> LogField { LogField("status", .text(status)) }
    public static func reason(_ reason: String) -> LogField { LogField("reason", .text(reason)) }
    public static func error(_ error: any Error) -> LogField { .error("\(error)") }
    /// An error in its own words, where it comes as a value of the rules.
    public static func error(_ description: String) -> LogField { LogField("error", .text(description)) }
    public static func path(_ path: String) -> LogField { LogField("path", .text(path)) }
    public static func bytes(_ count: Int) -> LogField { LogField("bytes", .number(Int64(count))) }
    public static func count(_ count: Int) -> LogField { LogField("count", .number(Int64(count))) }
    /// How often something was tried, this time included.
    public static func attempt(_ number: Int) -> LogField { LogField("attempt", .number(Int64(number))) }
    public static func delay(_ seconds: Double) -> LogField { LogField("delay", .seconds(seconds)) }
    public static func duration(_ seconds: Double) -> LogField { LogField("duration", .seconds(seconds)) }
    public static func reachable(_ flag: Bool) -> LogField { LogField("reachable", .flag(flag)) }
    public static func user(_ identifier: UInt32) -> LogField { LogField("user", .number(Int64(identifier))) }
    public static func process(_ identifier: Int32) -> LogField { LogField("process", .number(Int64(identifier))) }
    public static func signal(_ name: String) -> LogField { LogField("signal", .text(name)) }
    public static func version(_ version: String) -> LogField { LogField("version", .text(version)) }
    public static func method(_ name: String) -> LogField { LogField("method", .text(name)) }
    /// What a message or transfer is: a `TransferKind`.
    public static func kind(_ kind: String) -> LogField { LogField("kind", .text(kind)) }
    /// The state of an app.
    public static func application(_ state: String) -> LogField { LogField("application", .text(state)) }
    /// Which hint.
    public static func hint(_ name: String) -> LogField { LogField("hint", .text(name)) }
    /// The other message that the event is about: what took its place.
    public static func related(_ identifier: UUID) -> LogField { LogField("related", .text(identifier.uuidString)) }
    /// What a link is like, in the words that set it.
    public static func condition(_ words: String) -> LogField { LogField("condition", .text(words)) }
    /// What a fault rule does, in the words that set it.
    public static func fault(_ words: String) -> LogField { LogField("fault", .text(words)) }
    /// Where in a file.
    public static func offset(_ offset: Int64) -> LogField { LogField("offset", .number(offset)) }
    /// A row's position in its database.
    public static func sequence(_ number: Int64) -> LogField { LogField("sequence", .number(number)) }
}
