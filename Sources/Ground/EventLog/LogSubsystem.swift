import Locking

/// A part of a program that speaks in the log: each has a level of its own. Each module declares its own, as static members.
public struct LogSubsystem: Hashable, Sendable {
    public let name: String
    /// Its place among the levels: see ``LogLevels``.
    let place: Int

    /// 16: their levels fit into one word, which is read at every event. Those beyond share the last place.
    static let most = 16

    /// The names that have a place, in the order in which they were first used.
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
