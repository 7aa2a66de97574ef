import Locking

/// A part of a program with its own log level. Each module declares its subsystems as static members.
public struct LogSubsystem: Hashable, Sendable {
    /// The subsystem's name, as the settings for log levels use it.
    public let name: String
    /// The subsystem's index in ``LogLevels``.
    let place: Int

    /// The number of subsystems with their own level. 16: their levels fit into one word, which is read at every event.
    /// Further subsystems share the last index.
    static let most = 16

    /// The names that have an index, in the order of their first use.
    private static let names = Mutex<[String]>([])

    package init(_ name: String) {
        self.name = name
        place = Self.names.withLock { names in
            if let place = names.firstIndex(of: name) { return place }
            if names.count < Self.most { names.append(name) }
            return names.count - 1
        }
    }
}
