/// How a device's disk is: of all its files alike.
struct DiskCondition {
    /// The share of its transactions that fail: none, or all of a full one; some where other programs take and give space.
    var failures = 0.0
    /// How much longer than usual each operation takes, at most: a disk that others keep busy. An answer that comes late meets a
    /// device that has gone on.
    var slowness: Nanoseconds = 0
}
