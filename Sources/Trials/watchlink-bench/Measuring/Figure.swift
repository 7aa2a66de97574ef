/// What one contender took.
struct Figure {
    /// Median over the samples, of one piece of work.
    let nanoseconds: Double
    /// Memory taken by one piece of work: how often.
    let allocations: Double
}
