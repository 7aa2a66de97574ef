import Foundation

/// The archived form of counted sets: the number of elements, then each element and its count under separate keys.
enum CountedElements {
    static let countKey = "NS.count"
    static func elementKey(_ position: Int) -> String { "NS.object\(position)" }
    static func countKey(_ position: Int) -> String { "NS.count\(position)" }

    /// The maximum sum of counts in an archive. 100,000: Foundation counts one at a time, which takes about ten
    /// milliseconds for that many.
    static let maximumSum = 100_000

    static func encode(_ elements: [(element: Any, count: Int)], with archiver: KeyedArchiver) {
        // The counts come from a set in memory: the sum cannot overflow.
        archiver.countedSum += elements.reduce(0) { $0 + $1.count }
        guard archiver.countedSum <= maximumSum else {
            archiver.fail(
                ArchiveError(
                    .limitExceeded, "counts exceed \(maximumSum) in total", kind: ValueClass.countedSet.name))
            return
        }
        archiver.plain(countKey) { $0.add(Int64(elements.count)) }
        for (position, element) in elements.enumerated() {
            archiver.encode(element.element, forKey: elementKey(position))
            archiver.plain(countKey(position)) { $0.add(Int64(element.count)) }
        }
    }
}
