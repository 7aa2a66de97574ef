/// The level of a message. The raw values are those of Apple's platforms.
public struct OSLogType: RawRepresentable, Hashable, Sendable {
    public let rawValue: UInt8

    /// Creates a level from its number.
    public init(_ rawValue: UInt8) { self.rawValue = rawValue }
    public init(rawValue: UInt8) { self.init(rawValue) }

    /// The level of messages for troubleshooting: written as “notice”.
    public static let `default` = OSLogType(0x00)
    /// The level of helpful but not essential messages: written as “info”.
    public static let info = OSLogType(0x01)
    /// The level of messages for development: written as “debug”, if the log level asks for it.
    public static let debug = OSLogType(0x02)
    /// The level of errors in the process: written as “error”.
    public static let error = OSLogType(0x10)
    /// The level of errors that affect several processes: written as “critical”.
    public static let fault = OSLogType(0x11)
}
