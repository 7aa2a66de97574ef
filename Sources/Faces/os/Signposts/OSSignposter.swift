import Foundation

/// Writes the begin and the end of intervals, and events, as lines of the level “debug”.
public struct OSSignposter: Sendable {
    private let log: OSLog

    /// Creates a signposter without subsystem and category.
    public init() { self.init(logHandle: .default) }

    /// Creates a signposter for a part of a program.
    public init(subsystem: String, category: String) {
        self.init(logHandle: OSLog(subsystem: subsystem, category: category))
    }

    /// Creates a signposter for a part of a program.
    public init(subsystem: String, category: OSLog.Category) {
        self.init(logHandle: OSLog(subsystem: subsystem, category: category))
    }

    /// Creates a signposter that writes as a log does.
    public init(logHandle: OSLog) { log = logHandle }

    /// Creates a signposter that writes as a logger does.
    public init(logger: Logger) { self.init(logHandle: logger.logObject) }

    /// The signposter that writes nothing.
    public static var disabled: OSSignposter { OSSignposter(logHandle: .disabled) }

    /// True if signposts are written.
    public var isEnabled: Bool { log.signpostsEnabled }

    /// Returns a new identifier.
    public func makeSignpostID() -> OSSignpostID { OSSignpostID(log: log) }

    /// Returns the identifier of an object.
    public func makeSignpostID(from object: AnyObject) -> OSSignpostID { OSSignpostID(log: log, object: object) }

    /// Writes the begin of an interval.
    public func beginInterval(_ name: StaticString, id: OSSignpostID = .exclusive) -> OSSignpostIntervalState {
        beginInterval(name, id: id, "")
    }

    /// Writes the begin of an interval.
    public func beginInterval(
        _ name: StaticString, id: OSSignpostID = .exclusive, _ message: SignpostMetadata
    ) -> OSSignpostIntervalState {
        log.writeSignpost(.begin, name, id) { message.text(showsPrivate: $0) }
        return OSSignpostIntervalState(id)
    }

    /// Writes the end of an interval, and its length.
    public func endInterval(_ name: StaticString, _ state: OSSignpostIntervalState) { endInterval(name, state, "") }

    /// Writes the end of an interval, and its length.
    public func endInterval(_ name: StaticString, _ state: OSSignpostIntervalState, _ message: SignpostMetadata) {
        let length = state.end()
        let field = (
            key: "duration", value: length.map { String(format: "%.6f", $0) } ?? "unknown: it has ended before"
        )
        log.writeSignpost(.end, name, state.signpostID, fields: [field]) { message.text(showsPrivate: $0) }
    }

    /// Writes an event.
    public func emitEvent(_ name: StaticString, id: OSSignpostID = .exclusive) { emitEvent(name, id: id, "") }

    /// Writes an event.
    public func emitEvent(_ name: StaticString, id: OSSignpostID = .exclusive, _ message: SignpostMetadata) {
        log.writeSignpost(.event, name, id) { message.text(showsPrivate: $0) }
    }

    /// Runs a closure, and writes the interval that it takes.
    public func withIntervalSignpost<T>(
        _ name: StaticString, id: OSSignpostID = .exclusive, around task: () throws -> T
    ) rethrows -> T {
        try withIntervalSignpost(name, id: id, "", around: task)
    }

    /// Runs a closure, and writes the interval that it takes.
    public func withIntervalSignpost<T>(
        _ name: StaticString, id: OSSignpostID = .exclusive, _ message: SignpostMetadata, around task: () throws -> T
    ) rethrows -> T {
        let state = beginInterval(name, id: id, message)
        defer { endInterval(name, state) }
        return try task()
    }
}
