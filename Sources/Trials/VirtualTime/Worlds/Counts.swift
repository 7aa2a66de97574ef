import CVirtualTime

/// Counters of a world's activity.
public struct Counts: Hashable, Sendable {
    /// Switches from one thread to another.
    public let switches: UInt64
    /// Decisions taken, including those beyond the number kept.
    public let draws: UInt64
    /// Jumps of the clocks.
    public let jumps: UInt64
    /// Threads started, including those that have ended.
    public let threads: UInt64
    /// Reads of clocks.
    public let clockReads: UInt64
    /// Polls of descriptors on behalf of waiting threads.
    public let polls: UInt64
    /// Edges of instrumented code that were executed.
    public let edges: UInt64
    /// Points reached at which a thread can be interrupted.
    public let steps: UInt64

    init(_ counts: virtual_time_counts) {
        switches = counts.switches
        draws = counts.draws
        jumps = counts.jumps
        threads = counts.threads
        clockReads = counts.clock_reads
        polls = counts.polls
        edges = counts.edges
        steps = counts.steps
    }
}
