/// The condition of a device's disk; it applies to all its files.
struct DiskCondition {
    /// The share of its transactions that fail: 0 normally, 1 when full, in between when other programs use space.
    var failures = 0.0
    /// The longest extra time of an operation on a busy disk. A late result meets a device that has moved on.
    var slowness: Nanoseconds = 0
}
