import CVirtualTime

/// The parameters of a world: how often its threads are disturbed, and how far its clocks run.
public struct WorldSettings: Hashable, Codable, Sendable {
    /// The average number of interruption points per interruption; 0 for no interruptions.
    public var preemption: UInt32
    /// The average number of times a thread resumes per delayed resumption; 0 for no delays.
    public var stall: UInt32
    /// The longest delay of a thread in milliseconds, up to ``longestStallMilliseconds``.
    public var stallMilliseconds: UInt32
    /// An hour: to a person, a thread delayed longer is dead.
    public static let longestStallMilliseconds: UInt32 = 3_600_000
    /// True to interrupt threads between calls as well, at the edges of code compiled with
    /// `-sanitize=address -sanitize-coverage=edge,trace-pc-guard`.
    public var edges: Bool
    /// True to add a trace line each time a thread resumes.
    public var tracesSteps: Bool
    /// The time of day when a world begins, in nanoseconds since 1970.
    public var epoch: Int64
    /// 2030-01-01, for apps: later than every date in their examples and configurations.
    package static let epochOfApps: Int64 = 1_893_456_000_000_000_000
    /// The virtual time after which a world ends, in nanoseconds. In a performance no world ends before the script.
    public var horizon: Int64
    /// The real time in milliseconds after which a thread that computes without a call is considered endless.
    public var spinMilliseconds: UInt32
    /// The result of `getpid`; 0 for the real one.
    public var processIdentifier: Int32

    /// Creates the default settings.
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
    /// Returns these settings in the C part's form, completed by those of a course.
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
