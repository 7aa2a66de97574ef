// The names are Apple's.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

/// Writes a message from a format with printf's conversions. Strings and objects are private unless the format says
/// `%{public}@`.
///
/// - Parameters:
///   - message: The format.
///   - dso: Ignored: the program's own name stands in each line.
///   - log: The part of the program.
///   - type: The level.
///   - args: The values.
public func os_log(
    _ message: StaticString, dso: UnsafeRawPointer? = #dsohandle, log: OSLog = .default, type: OSLogType = .default,
    _ args: Any...
) {
    log.write(type.level) { FormatString(message).text(args, showsPrivate: $0) }
}

/// Writes a message from a format with printf's conversions.
public func os_log(
    _ type: OSLogType, dso: UnsafeRawPointer? = #dsohandle, log: OSLog = .default, _ message: StaticString,
    _ args: Any...
) {
    log.write(type.level) { FormatString(message).text(args, showsPrivate: $0) }
}

/// Writes a message of the default level.
public func os_log(_ message: OSLogMessage) { os_log(.default, log: .default, message) }

/// Writes a message of a level.
public func os_log(_ level: OSLogType, _ message: OSLogMessage) { os_log(level, log: .default, message) }

/// Writes a message of a level, for a part of the program.
public func os_log(_ level: OSLogType, log: OSLog, _ message: OSLogMessage) {
    log.write(level.level) { message.text(showsPrivate: $0) }
}
