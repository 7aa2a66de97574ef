import CVirtualTime

/// How much happened in a world.
public struct Counts: Hashable, Sendable {
    /// How often one thread went on after another.
    public let switches: UInt64
    /// Decisions, also those beyond what is kept.
    public let draws: UInt64
    /// How often the clocks jumped.
    public let jumps: UInt64
    public let threads: UInt64
    public let clockReads: UInt64
    /// Looks at descriptors for threads that wait for them.
    public let polls: UInt64
    /// Edges of instrumented code.
    public let edges: UInt64
    /// Places where a thread may be interrupted.
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
