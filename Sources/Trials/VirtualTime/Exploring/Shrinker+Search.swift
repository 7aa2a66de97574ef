extension Shrinker {
    typealias Run<Part: Hashable, Failure: Error> = ([Part: Course]) throws(Failure) -> Trials<Part>

    /// A search for smaller courses: the best so far, and the number of runs it took.
    struct Search<Part: Hashable> {
        /// A departure, identified by the question it answers, which is the same in all runs.
        private struct Key: Hashable {
            let part: Part
            let place: Place
        }

        private(set) var best: [Part: Course]
        /// The departures of the best courses, in the order in which they happened.
        private var keys: [Key] = []
        private(set) var tries = 1
        private let mostTries: Int
        private var isStopped: Bool
        /// The sets of departures that ran without failing, from the best courses and from others.
        private var refuted: Set<Set<Key>> = []

        /// - Parameter first: The result of the first run.
        init(_ courses: [Part: Course], _ first: Trials<Part>, mostTries: Int) {
            self.mostTries = mostTries
            best = courses
            isStopped = first.isLast
            become(first.courses)
        }

        var isOver: Bool { isStopped || tries >= mostTries }
        var size: Size { Size(of: best.values) }

        /// Leaves out what a person would try first: everything, then every departure of one nature.
        mutating func leaveOutKinds<Failure: Error>(_ run: Run<Part, Failure>) throws(Failure) {
            if try fails([], run) { return }
            for kinds in [[.thread, .interruption, .wake, .stall], [.latency], [.fault], [.application]]
                as [[DecisionKind]]
            {
                let dull = Set(keys(of: kinds))
                _ = try fails(Set(keys).subtracting(dull), run)
            }
        }

        /// Leaves out the departures that the failure does not need.
        mutating func leaveOut<Failure: Error>(_ run: Run<Part, Failure>) throws(Failure) {
            if try fails([], run) { return }
            _ = try needed(of: keys, beside: [], run)
        }

        /// Returns the candidates that the failure needs when the others are present. The later half is reduced first,
        /// beside the earlier one: a world whose course ends sooner is unchanged up to that point.
        ///
        /// - Parameter isNew: True if it is not yet known whether the others alone fail.
        private mutating func needed<Failure: Error>(
            of candidates: [Key], beside others: Set<Key>, isNew: Bool = false, _ run: Run<Part, Failure>
        ) throws(Failure) -> Set<Key> {
            let candidates = kept(candidates)
            guard !candidates.isEmpty else { return [] }
            if isNew, try fails(others, run) { return [] }
            guard candidates.count > 1, !isOver else { return Set(candidates) }
            let (earlier, later) = (candidates.prefix(candidates.count / 2), candidates.dropFirst(candidates.count / 2))
            let last = try needed(of: Array(later), beside: others.union(earlier), isNew: true, run)
            let first = try needed(of: Array(earlier), beside: others.union(last), isNew: !last.isEmpty, run)
            return first.union(last)
        }

        /// Lowers the number of each departure to 1, or to half of the remaining distance, as long as the course still
        /// fails. Delays and faults come first: the numbers of scheduling decisions mean nothing to a person.
        mutating func lower<Failure: Error>(_ run: Run<Part, Failure>) throws(Failure) {
            let scheduled = Set(keys(of: [.thread, .wake]))
            for key in keys.filter({ !scheduled.contains($0) }) + keys.filter(scheduled.contains) {
                try lower(key, run)
            }
        }

        private mutating func lower<Failure: Error>(_ key: Key, _ run: Run<Part, Failure>) throws(Failure) {
            // 0 was tried by leaving the departure out.
            var tooLow: UInt32 = 0
            while !isOver, let taken = departure(key)?.decision.taken, taken > tooLow + 1 {
                let middle = tooLow == 0 ? 1 : tooLow + (taken - tooLow) / 2
                if try !attempt(courses(of: Set(keys), lowering: key, to: middle), run) { tooLow = middle }
            }
        }

        /// Returns true if the best still fails with only these of its departures; the result then becomes the best.
        private mutating func fails<Failure: Error>(
            _ wanted: Set<Key>, _ run: Run<Part, Failure>
        ) throws(Failure) -> Bool {
            let wanted = wanted.intersection(keys)
            if wanted.count == keys.count { return true }
            guard !isOver, !refuted.contains(wanted) else { return false }
            if try attempt(courses(of: wanted), run) { return true }
            refuted.insert(wanted)
            return false
        }

        /// Runs courses and keeps them if they are smaller and fail. Their size is that of the decisions taken, not
        /// given: the worlds may not have asked every question.
        private mutating func attempt<Failure: Error>(
            _ courses: [Part: Course], _ run: Run<Part, Failure>
        ) throws(Failure) -> Bool {
            tries += 1
            let trial = try run(courses)
            isStopped = trial.isLast
            guard trial.fails, Size(of: trial.courses.values) < size else { return false }
            become(trial.courses)
            return true
        }

        private mutating func become(_ taken: [Part: Course]) {
            for (part, course) in taken { best[part] = (best[part] ?? course).with(course.departures) }
            for part in best.keys where taken[part] == nil { best[part] = best[part]?.with([]) }
            let moments = best.flatMap { part, course in
                course.departures.map {
                    (time: $0.circumstance?.time ?? 0, index: $0.index, part: part, place: $0.decision.place)
                }
            }
            keys = moments.sorted { ($0.time, $0.index, $0.place) < ($1.time, $1.index, $1.place) }
                .map { Key(part: $0.part, place: $0.place) }
        }

        private func kept(_ candidates: [Key]) -> [Key] {
            let there = Set(keys)
            return candidates.filter(there.contains)
        }

        private func keys(of kinds: [DecisionKind]) -> [Key] {
            best.flatMap { part, course in
                course.departures.filter { kinds.contains($0.decision.kind) }
                    .map { Key(part: part, place: $0.decision.place) }
            }
        }

        private func departure(_ key: Key) -> Departure? {
            best[key.part]?.departures.first { $0.decision.place == key.place }
        }

        /// Returns the best with only these of its departures, one of them lowered.
        private func courses(of wanted: Set<Key>, lowering lowered: Key? = nil, to number: UInt32 = 0) -> [Part: Course]
        {
            Dictionary(
                uniqueKeysWithValues: best.map { part, course in
                    let departures = course.departures.compactMap { departure -> Departure? in
                        let key = Key(part: part, place: departure.decision.place)
                        guard wanted.contains(key) else { return nil }
                        return key == lowered ? departure.lowered(to: number) : departure
                    }
                    return (part, course.with(departures))
                })
        }
    }
}
