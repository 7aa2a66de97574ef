// The names are Apple's.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

/// Writes a signpost as a line of the level “debug”.
public func os_signpost(
    _ type: OSSignpostType, dso: UnsafeRawPointer = #dsohandle, log: OSLog, name: StaticString,
    signpostID: OSSignpostID = .exclusive
) {
    log.writeSignpost(type, name, signpostID) { _ in "" }
}

/// Writes a signpost as a line of the level “debug”, with a text from a format with printf's conversions.
public func os_signpost(
    _ type: OSSignpostType, dso: UnsafeRawPointer = #dsohandle, log: OSLog, name: StaticString,
    signpostID: OSSignpostID = .exclusive, _ format: StaticString, _ arguments: Any...
) {
    log.writeSignpost(type, name, signpostID) { FormatString(format).text(arguments, showsPrivate: $0) }
}
