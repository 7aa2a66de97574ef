import Foundation

/// The archived form of counted sets: how many elements, then each under a key of its own, with its count.
enum CountedElements {
    static let countKey = "NS.count"
    static func elementKey(_ position: Int) -> String { "NS.object\(position)" }
    static func countKey(_ position: Int) -> String { "NS.count\(position)" }

    /// The highest sum of counts in one archive. 100,000: Foundation counts one at a time, and that many take about ten
    /// milliseconds.
    static let maximumSum = 100_000

    static func encode(_ elements: [(element: Any, count: Int)], with archiver: KeyedArchiver) {
        // The counts are those of a set in memory: they cannot overflow.
        archiver.countedSum += elements.reduce(0) { $0 + $1.count }
        guard archiver.countedSum <= maximumSum else {
            archiver.fail(
                ArchiveError(
                    .limitExceeded, "counts of more than \(maximumSum) together", kind: ValueClass.countedSet.name))
            return
        }
        archiver.plain(countKey) { $0.add(Int64(elements.count)) }
        for (position, element) in elements.enumerated() {
            archiver.encode(element.element, forKey: elementKey(position))
            archiver.plain(countKey(position)) { $0.add(Int64(element.count)) }
        }
    }
}
