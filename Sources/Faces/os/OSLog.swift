import EventLog
public import Foundation

/// A part of a program whose messages carry its subsystem and category.
///
/// Messages are written to standard error, one line each, in the form of the session's log. Two variables in the
/// environment change that: `WATCHLINK_LOG_LEVEL` is the least severe level that is written (“info” without it), and
/// `WATCHLINK_LOG_PRIVATE=1` shows private values, which are otherwise written as `<private>`.
public final class OSLog: NSObject, Sendable {
    /// A category with a meaning of its own on Apple's platforms; here its name is written.
    public struct Category: RawRepresentable, Hashable, Sendable {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The category of points of interest in Instruments.
        public static let pointsOfInterest = Category(rawValue: "PointsOfInterest")
        /// The category of signposts that Instruments enables.
        public static let dynamicTracing = Category(rawValue: "DynamicTracing")
        /// The category of signposts with backtraces.
        public static let dynamicStackTracing = Category(rawValue: "DynamicStackTracing")
    }

    /// The log of messages without subsystem and category.
    public static let `default` = OSLog(subsystem: "", category: "", lines: .process)
    /// The log whose messages are not written.
    public static let disabled = OSLog(subsystem: "", category: "", lines: nil)

    let lines: LogLines?
    private let subsystem: String
    private let category: String

    /// Creates a log for a part of a program.
    public convenience init(subsystem: String, category: String) {
        self.init(subsystem: subsystem, category: category, lines: .process)
    }

    /// Creates a log for a part of a program.
    public convenience init(subsystem: String, category: Category) {
        self.init(subsystem: subsystem, category: category.rawValue)
    }

    /// - Parameter lines: The place of the lines; nil for messages that are not written.
    package init(subsystem: String, category: String, lines: LogLines?) {
        self.subsystem = subsystem
        self.category = category
        self.lines = lines
    }

    /// Returns true if messages of this level are written.
    public func isEnabled(type: OSLogType) -> Bool { isEnabled(type.level) }

    /// True if signposts are written, which have the level “debug”.
    public var signpostsEnabled: Bool { isEnabled(.debug) }

    func isEnabled(_ level: LogLevel) -> Bool { lines?.isEnabled(level) ?? false }

    /// Writes a message if its level is enabled; only then is its text made.
    func write(
        _ level: LogLevel, fields: [(key: String, value: String)] = [], _ text: (_ showsPrivate: Bool) -> String
    ) {
        guard let lines, lines.isEnabled(level) else { return }
        let own = [(key: "subsystem", value: subsystem), (key: "category", value: category)].filter {
            !$0.value.isEmpty
        }
        lines.put(level, text(lines.showsPrivate), own + fields)
    }
}
