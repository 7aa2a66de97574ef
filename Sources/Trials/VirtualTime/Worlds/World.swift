import CVirtualTime

/// The world in which the current process runs, as seen by its own code.
public enum World {
    /// False when the library was compiled with the thread sanitizer, which replaces the same functions: worlds cannot
    /// be created then.
    public static var isAvailable: Bool { virtual_time_is_available() }

    /// True if the process runs in a world.
    public static var isOn: Bool { virtual_time_is_on() }

    /// The virtual time that has passed since the world began.
    public static var now: Duration { .nanoseconds(virtual_time_now()) }

    /// Lets the world take a decision.
    ///
    /// - Parameters:
    ///   - kind: ``DecisionKind/latency``, ``DecisionKind/fault`` or ``DecisionKind/application``.
    ///   - options: The number of possibilities. With fewer than two there is nothing to decide.
    ///   - rarity: The average number of calls per answer other than 0; nil makes all possibilities equally likely.
    /// - Returns: The number of the chosen possibility, from 0. Let 0 be the dullest. Always 0 outside a world.
    public static func choose(_ kind: DecisionKind, among options: UInt32, oneIn rarity: UInt32? = nil) -> UInt32 {
        guard options >= Decision.fewestOptions else { return 0 }
        let kind = virtual_time_kind(rawValue: UInt32(kind.rawValue))
        guard let rarity else { return virtual_time_choose(kind, options) }
        return virtual_time_choose_rarely(kind, options, max(1, rarity))
    }

    /// Waits until every other thread waits and the clocks are about to jump, and something has happened since the last
    /// call. Only one thread of a world may call it. Outside a world it returns immediately.
    public static func waitUntilIdle() { virtual_time_wait_until_idle() }

    /// Adds a line to the world's trace.
    public static func trace(_ line: String) { virtual_time_trace(line) }

    /// Ends the world and its process successfully.
    public static func finish() -> Never { virtual_time_finish(nil) }

    /// Ends the world and its process with a complaint.
    public static func fail(_ complaint: String) -> Never { virtual_time_finish(complaint) }
}
