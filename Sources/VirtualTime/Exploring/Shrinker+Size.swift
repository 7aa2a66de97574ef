extension Shrinker {
    /// The measure of a course: the number of its departures, then their sum, then the place of the last.
    struct Size: Comparable {
        let departures: Int
        let sum: UInt64
        let given: Int

        static func < (left: Size, right: Size) -> Bool {
            (left.departures, left.sum, left.given) < (right.departures, right.sum, right.given)
        }
    }
}

extension Course {
    /// No sum of 2²² numbers of 32 bits overflows 64.
    var size: Shrinker.Size {
        Shrinker.Size(
            departures: departures.count, sum: departures.reduce(0) { $0 + UInt64($1.decision.taken) },
            given: (departures.last?.index ?? -1) + 1)
    }
}
