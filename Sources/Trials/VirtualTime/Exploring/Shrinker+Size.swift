extension Shrinker {
    /// The measure of courses: the number of their departures, and then their sum.
    struct Size: Comparable {
        let departures: Int
        let sum: UInt64

        init(of courses: some Sequence<Course>) {
            let departures = courses.flatMap(\.departures)
            self.departures = departures.count
            // No sum of 2²² numbers of 32 bits overflows 64.
            sum = departures.reduce(0) { $0 + UInt64($1.decision.taken) }
        }

        static func < (left: Size, right: Size) -> Bool {
            (left.departures, left.sum) < (right.departures, right.sum)
        }
    }
}
