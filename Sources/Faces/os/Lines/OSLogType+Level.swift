import EventLog

extension OSLogType {
    /// The level as the lines spell it.
    var level: LogLevel {
        switch self {
        case .debug: .debug
        case .info: .info
        case .error: .error
        case .fault: .critical
        default: .notice
        }
    }
}
