/// The events in which something was seen.
package struct Seen: Equatable, Sendable {
    /// The position of the first event.
    package private(set) var first: Int
    package private(set) var count: Int

    package init(_ first: Int, count: Int = 1) { (self.first, self.count) = (first, count) }

    mutating func add(_ other: Seen) {
        first = min(first, other.first)
        count += other.count
    }

    /// Counts events of another cassette, too; the first stays.
    mutating func count(_ other: Seen) { count += other.count }

    /// The number of times in words; empty for once.
    var times: String { count == 1 ? "" : ", \(count) times" }
}

extension [String: Seen] {
    mutating func add(_ seen: Seen, _ key: String) {
        if self[key] == nil { self[key] = seen } else { self[key]?.add(seen) }
    }
}
