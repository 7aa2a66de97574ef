/// How much an event matters: the eight levels of syslog, the gravest first.
public enum LogLevel: Int, CaseIterable, Comparable, Sendable, CustomStringConvertible {
    case emergency, alert, critical, error, warning, notice, info, debug

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

    public static func < (left: LogLevel, right: LogLevel) -> Bool { left.rawValue < right.rawValue }
}
