/// A table of names for the same watch. The phone's log names a watch by its identifier; a watch's own log does not,
/// and is known by its path until a message is found in both logs.
struct WatchNames {
    private var identifiers: [String: String] = [:]

    private static func isPlace(_ name: String) -> Bool { name.isEmpty || name.hasPrefix("/") }

    /// Records that two logs contain the same message.
    mutating func meet(_ one: String?, _ other: String?) {
        guard let one, let other, Self.isPlace(one) != Self.isPlace(other) else { return }
        let (place, identifier) = Self.isPlace(one) ? (one, other) : (other, one)
        if identifiers[place] == nil { identifiers[place] = identifier }
    }

    /// Returns the more specific of two names.
    func better(_ one: String?, _ other: String?) -> String? {
        guard let one, let other else { return one ?? other }
        return Self.isPlace(one) ? other : one
    }

    func final(_ name: String?) -> String? { name.map { identifiers[$0] ?? $0 } }

    func final(_ life: TimelineOwner) -> TimelineOwner { TimelineOwner(life.side, final(life.watch)) }
}
