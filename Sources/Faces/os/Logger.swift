import EventLog

/// Writes messages of a part of a program.
public struct Logger: Sendable {
    private let log: OSLog

    /// Creates a logger of messages without subsystem and category.
    public init() { self.init(.default) }

    /// Creates a logger for a part of a program.
    public init(subsystem: String, category: String) { self.init(OSLog(subsystem: subsystem, category: category)) }

    /// Creates a logger that writes as a log does.
    public init(_ logObj: OSLog) { log = logObj }

    /// Writes a message of the default level.
    public func log(_ message: OSLogMessage) { write(.notice, message) }
    /// Writes a message of a level.
    public func log(level: OSLogType, _ message: OSLogMessage) { write(level.level, message) }
    /// Writes a message of the level “debug”.
    public func trace(_ message: OSLogMessage) { write(.debug, message) }
    /// Writes a message of the level “debug”.
    public func debug(_ message: OSLogMessage) { write(.debug, message) }
    /// Writes a message of the level “info”.
    public func info(_ message: OSLogMessage) { write(.info, message) }
    /// Writes a message of the default level.
    public func notice(_ message: OSLogMessage) { write(.notice, message) }
    /// Writes a message of the level “warning”. On Apple's platforms it has the level of errors.
    public func warning(_ message: OSLogMessage) { write(.warning, message) }
    /// Writes a message of the level “error”.
    public func error(_ message: OSLogMessage) { write(.error, message) }
    /// Writes a message of the level “critical”.
    public func critical(_ message: OSLogMessage) { write(.critical, message) }
    /// Writes a message of the level “critical”.
    public func fault(_ message: OSLogMessage) { write(.critical, message) }

    var logObject: OSLog { log }

    private func write(_ level: LogLevel, _ message: OSLogMessage) {
        log.write(level) { message.text(showsPrivate: $0) }
    }
}
