/// Counts how often something comes that has no template yet: until it is worth one.
package struct Sightings<Key: Hashable & Sendable>: Sendable {
    /// How often a thing has to come: a template costs as much as ten archives.
    private static var worthwhile: Int { 8 }
    /// Things that are counted at a time; beyond, counting begins anew.
    private static var maximumCount: Int { 1_024 }

    private var counts: [Key: Int] = [:]

    package init() {}

    /// Counts one more. Whether it is worth a template now: true once.
    package mutating func add(_ key: Key) -> Bool {
        if counts.count >= Self.maximumCount { counts.removeAll(keepingCapacity: true) }
        let count = counts[key, default: 0] + 1
        counts[key] = count
        return count == Self.worthwhile
    }

    /// What still comes earns its template again.
    package mutating func removeAll() { counts.removeAll(keepingCapacity: true) }
}
