extension Shrinker {
    typealias Run<Failure: Error> = (Course) throws(Failure) -> Trial

    /// A search for a smaller course: the best so far, and how many worlds it took.
    struct Search {
        private(set) var best: Course
        /// All decisions of the best.
        private var decisions: [Decision]
        private(set) var tries = 1
        private let mostTries: Int

        /// - Parameter decisions: What the world of the first try took.
        init(_ course: Course, _ decisions: [Decision], mostTries: Int) {
            best = course.with(Course(seed: course.seed, following: decisions).departures)
            (self.decisions, self.mostTries) = (decisions, mostTries)
        }

        var isOver: Bool { tries >= mostTries }

        /// Leaves departures out, in ever smaller pieces.
        mutating func leaveOut<Failure: Error>(_ run: Run<Failure>) throws(Failure) {
            var piece = best.departures.count
            while piece > 0 && !isOver {
                // From the end: what happened last decides least about what else happens.
                var end = best.departures.count
                while end > 0 && !isOver {
                    let start = max(0, end - piece)
                    var candidate = best.departures
                    candidate.removeSubrange(start..<end)
                    try attempt(candidate, run)
                    // A success may have left fewer than those before the piece.
                    end = min(start, best.departures.count)
                }
                piece /= 2
            }
        }

        /// Lowers the number of each departure: to half of the way that is left, as long as that still fails.
        mutating func lower<Failure: Error>(_ run: Run<Failure>) throws(Failure) {
            var position = best.departures.count - 1
            while position >= 0 && !isOver {
                try lower(at: position, run)
                position = min(position, best.departures.count) - 1
            }
        }

        private mutating func lower<Failure: Error>(at position: Int, _ run: Run<Failure>) throws(Failure) {
            let index = best.departures[position].index
            // 0 was tried by leaving the departure out.
            var tooLow: UInt32 = 0
            // What still fails may do so by other questions: then another departure may be at this position, or a number below those tried.
            while !isOver, position < best.departures.count, best.departures[position].index == index,
                best.departures[position].decision.taken > tooLow + 1
            {
                let decision = best.departures[position].decision
                let middle = tooLow + (decision.taken - tooLow) / 2
                var candidate = best.departures
                candidate[position] = Departure(at: index, decision.lowered(to: middle))
                if try !attempt(candidate, run) { tooLow = middle }
            }
        }

        /// Runs the best course with other departures; if the world then asks its questions at other places, once more with the departures at
        /// these.
        ///
        /// - Returns: True if it fails as well, and what the world did is smaller than the best so far: it is then the best.
        @discardableResult
        private mutating func attempt<Failure: Error>(
            _ departures: [Departure], _ run: Run<Failure>
        ) throws(Failure) -> Bool {
            let course = best.with(departures)
            guard !isOver else { return false }
            tries += 1
            let trial = try run(course)
            if accept(trial) { return true }
            guard !isOver, course.divergence(from: trial.decisions) != nil else { return false }
            let moved = best.with(departures.moved(from: decisions, to: trial.decisions))
            guard moved != course, moved.size < best.size else { return false }
            tries += 1
            return accept(try run(moved))
        }

        /// What the world took counts, not what it was given: it may have asked other questions.
        private mutating func accept(_ trial: Trial) -> Bool {
            guard trial.fails else { return false }
            let course = best.with(Course(seed: best.seed, following: trial.decisions).departures)
            guard course.size < best.size else { return false }
            (best, decisions) = (course, trial.decisions)
            return true
        }
    }
}

extension [Departure] {
    /// The same departures at the places where another world asks the same: the first question of a kind is the first of that kind, and so on.
    /// Those that it does not ask are left out.
    fileprivate func moved(from decisions: [Decision], to others: [Decision]) -> [Departure] {
        var places: [DecisionKind: [Int]] = [:]
        for (index, decision) in others.enumerated() { places[decision.kind, default: []].append(index) }
        var counts: [DecisionKind: Int] = [:]
        var ordinals: [Int: Int] = [:]
        for (index, decision) in decisions.enumerated() {
            ordinals[index] = counts[decision.kind, default: 0]
            counts[decision.kind, default: 0] += 1
        }
        return compactMap { departure -> Departure? in
            guard let ordinal = ordinals[departure.index], let places = places[departure.decision.kind],
                ordinal < places.count
            else { return nil }
            return Departure(at: places[ordinal], departure.decision)
        }.sorted { $0.index < $1.index }
    }
}
