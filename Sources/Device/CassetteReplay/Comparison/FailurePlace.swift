/// The place at which a program that has failed left the course that it is compared with.
package struct FailurePlace: Sendable {
    /// The last event of that course that the program was given; nil if none, or if it is not known.
    package let given: AppEvent?
    /// The number of deeds that were not done.
    package let lost: Int
    /// The event of that course with which it has not gone on: the first deed that was not done, else the last event that was given.
    package let event: Int?

    /// - Parameters:
    ///   - reference: The course that the program is compared with.
    ///   - given: The last event of it that the program was given.
    ///   - arrived: The deeds of it that have arrived at the counterpart.
    ///   - comparison: The comparison of its own recording, which ends before the program did: events are collected for a while.
    ///   - written: The time until which that has everything, in microseconds since its activation.
    package init(
        in reference: AppTape, given: Int?, arrived: Set<Int>, _ comparison: TapeComparison, _ replayed: AppTape,
        written: Int64
    ) {
        self.given = given.flatMap(reference.event)
        let missing = comparison.deviations.filter(\.isMissing).compactMap(\.recorded).filter { !arrived.contains($0) }
            .compactMap(reference.event)
        // What follows from a late connection is late.
        let latest = comparison.places.max { $0.key < $1.key }
        let delay = latest.flatMap { pair in
            replayed.event(at: pair.key).flatMap { new in reference.event(at: pair.value).map { new.time - $0.time } }
        }
        let first = missing.first { deed in
            deed.time + (delay ?? 0) < written || deed.sequence > given ?? 0
        }
        lost = missing.count
        event = first?.sequence ?? given
    }

    /// Finds the place of a program of which nothing was recorded: it failed with its first deeds.
    package init(atStartOf reference: AppTape) {
        let deeds = reference.deeds
        (given, lost, event) = (nil, deeds.count, deeds.first?.sequence)
    }
}
