/// Counts the archives of each kind without a template, to decide when a template pays off.
package struct OccurrenceCounter<Key: Hashable & Sendable>: Sendable {
    /// The number of archives that justify a template, which costs as much as ten archives.
    private static var worthwhile: Int { 8 }
    /// The maximum number of kinds that are counted; beyond it, counting restarts.
    private static var maximumCount: Int { 1_024 }

    private var counts: [Key: Int] = [:]

    /// Creates a counter that has counted nothing.
    package init() {}

    /// Counts an archive. Returns true once per kind: when a template pays off.
    package mutating func add(_ key: Key) -> Bool {
        if counts.count >= Self.maximumCount { counts.removeAll(keepingCapacity: true) }
        let count = counts[key, default: 0] + 1
        counts[key] = count
        return count == Self.worthwhile
    }

    /// Restarts counting; kinds that keep occurring get a template again.
    package mutating func removeAll() { counts.removeAll(keepingCapacity: true) }
}
