/// The cost of one contender's operation.
struct Figure {
    /// The median time of one operation over all samples.
    let nanoseconds: Double
    /// The number of memory allocations of one operation.
    let allocations: Double
}
