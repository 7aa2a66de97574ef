import CVirtualTime

/// The world that the process runs in, for the code that runs in it.
public enum World {
    /// False when the library was compiled with the thread sanitizer, which stands before the same functions: then no world can be made.
    public static var isAvailable: Bool { virtual_time_is_available() }

    /// True if the process runs in a world.
    public static var isOn: Bool { virtual_time_is_on() }

    /// The virtual time since the world began.
    public static var now: Duration { .nanoseconds(virtual_time_now()) }

    /// Has the world decide.
    ///
    /// - Parameters:
    ///   - kind: ``DecisionKind/latency``, ``DecisionKind/fault`` or ``DecisionKind/application``.
    ///   - options: How many possibilities there are. With less than two nothing is decided.
    ///   - rarity: All but one in so many times the answer is 0; left out, each possibility is as likely as the others.
    /// - Returns: The number of a possibility, from 0. Let 0 be the dullest. It is 0 outside of a world.
    public static func choose(_ kind: DecisionKind, among options: UInt32, oneIn rarity: UInt32? = nil) -> UInt32 {
        guard options >= Decision.fewestOptions else { return 0 }
        let kind = virtual_time_kind(rawValue: UInt32(kind.rawValue))
        guard let rarity else { return virtual_time_choose(kind, options) }
        return virtual_time_choose_rarely(kind, options, max(1, rarity))
    }

    /// Waits until all other threads wait and the clocks would jump, and something has happened since this was called last. One thread of a world
    /// may call it. Outside of a world it returns at once.
    public static func waitUntilIdle() { virtual_time_wait_until_idle() }

    /// Adds a line to the world's trace.
    public static func trace(_ line: String) { virtual_time_trace(line) }

    /// Ends the world and its process, without a complaint.
    public static func finish() -> Never { virtual_time_finish(nil) }

    /// Ends the world and its process, and says what is wrong.
    public static func fail(_ complaint: String) -> Never { virtual_time_finish(complaint) }
}
