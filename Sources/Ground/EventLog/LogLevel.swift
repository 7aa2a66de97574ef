/// The severity of an event: the eight levels of syslog, the most severe first.
public enum LogLevel: Int, CaseIterable, Comparable, Sendable, CustomStringConvertible {
    /// A syslog severity; the raw values are those of syslog(3), 0 to 7.
    case emergency, alert, critical, error, warning, notice, info, debug

    /// Creates a level from its name, such as “warning”; nil if the name is unknown.
    public init?(name: String) {
        guard let level = Self.allCases.first(where: { $0.description == name }) else { return nil }
        self = level
    }

    public var description: String {
        switch self {
        case .emergency: "emergency"
        case .alert: "alert"
        case .critical: "critical"
        case .error: "error"
        case .warning: "warning"
        case .notice: "notice"
        case .info: "info"
        case .debug: "debug"
        }
    }

    /// Returns true if the left level is more severe.
    public static func < (left: LogLevel, right: LogLevel) -> Bool { left.rawValue < right.rawValue }
}
