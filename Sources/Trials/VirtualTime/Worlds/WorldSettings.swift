import CVirtualTime

/// The nature of a world: how often its threads are disturbed, and how far its clocks go.
public struct WorldSettings: Hashable, Codable, Sendable {
    /// At one in so many places where a thread may be interrupted it is; 0: at none.
    public var preemption: UInt32
    /// One in so many times that a thread goes on it is late; 0: never.
    public var stall: UInt32
    /// Late by up to this; an hour at most.
    public var stallMilliseconds: UInt32
    /// An hour: a thread that is later is dead to a person.
    public static let longestStallMilliseconds: UInt32 = 3_600_000
    /// True to interrupt threads also between calls, at the edges of code that is compiled with
    /// `-sanitize=address -sanitize-coverage=edge,trace-pc-guard`.
    public var edges: Bool
    /// True to write into the trace which thread goes on, each time.
    public var tracesSteps: Bool
    /// The time of day when a world begins, in nanoseconds since 1970.
    public var epoch: Int64
    /// 2030-01-01, for apps: after every date that their examples and configurations have.
    package static let epochOfApps: Int64 = 1_893_456_000_000_000_000
    /// The virtual time after which a world ends, in nanoseconds. In a performance it does not end before the script.
    public var horizon: Int64
    /// The real time after which a thread that computes without a call is taken for one that never ends.
    public var spinMilliseconds: UInt32
    /// The answer to `getpid`; 0 for the system's own.
    public var processIdentifier: Int32

    public init() {
        let usual = virtual_time_defaults(0)
        preemption = usual.preemption
        stall = usual.stall
        stallMilliseconds = usual.stall_milliseconds
        edges = usual.edges
        tracesSteps = usual.trace_steps
        epoch = usual.epoch
        horizon = usual.horizon
        spinMilliseconds = usual.spin_milliseconds
        processIdentifier = usual.process_identifier
    }
}

extension WorldSettings {
    /// The same for the C part, with what a course adds.
    func settings(for course: Course) -> virtual_time_settings {
        var settings = virtual_time_defaults(course.seed)
        switch course.strategy {
        case .random:
            settings.strategy = UInt32(virtual_time_strategy_random.rawValue)
        case .priorities(let depth, let steps):
            settings.strategy = UInt32(virtual_time_strategy_pct.rawValue)
            settings.depth = UInt32(clamping: depth)
            settings.expected_steps = UInt64(clamping: steps)
        }
        switch course.remainder {
        case .drawn: settings.sequel = UInt32(virtual_time_sequel_drawn.rawValue)
        case .dull: settings.sequel = UInt32(virtual_time_sequel_dull.rawValue)
        }
        settings.given = UInt64(course.given)
        settings.preemption = preemption
        settings.stall = stall
        settings.stall_milliseconds = stallMilliseconds
        settings.edges = edges
        settings.trace_steps = tracesSteps
        settings.epoch = epoch
        settings.horizon = horizon
        settings.spin_milliseconds = spinMilliseconds
        settings.process_identifier = processIdentifier
        return settings
    }
}
