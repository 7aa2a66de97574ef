extension Shrinker {
    /// The size of courses: first the number of their departures, then the sum of the departures' numbers.
    struct Size: Comparable {
        let departures: Int
        let sum: UInt64

        init(of courses: some Sequence<Course>) {
            let departures = courses.flatMap(\.departures)
            self.departures = departures.count
            // The sum of 2²² 32-bit numbers fits in 64 bits.
            sum = departures.reduce(0) { $0 + UInt64($1.decision.taken) }
        }

        static func < (left: Size, right: Size) -> Bool {
            (left.departures, left.sum) < (right.departures, right.sum)
        }
    }
}
