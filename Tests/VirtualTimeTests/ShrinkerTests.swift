import Testing

@testable import VirtualTime

@Suite("Shrinking")
struct ShrinkerTests {
    /// A world in which decision N has N + 2 possibilities, and which fails by a rule about all answers.
    private struct Rule {
        let length: Int
        let fails: ([UInt32]) -> Bool
        private(set) var runs: [Course] = []

        init(length: Int, fails: @escaping ([UInt32]) -> Bool) { (self.length, self.fails) = (length, fails) }

        mutating func run(_ course: Course) throws -> Shrinker.Trial {
            runs.append(course)
            var answers = course.answers + [UInt32](repeating: 0, count: max(0, length - course.given))
            answers.removeLast(max(0, answers.count - length))
            let decisions = try answers.enumerated().map {
                try Decision(.latency, options: 1_000_000, taken: $1, ordinal: $0)
            }
            return Shrinker.Trial(decisions: decisions, fails: fails(answers))
        }
    }

    private func course(_ answers: [UInt32]) throws -> Course {
        Course(
            seed: 1,
            following: try answers.enumerated().map {
                try Decision(.latency, options: 1_000_000, taken: $1, ordinal: $0)
            })
    }

    private func answers(_ shrunk: Shrunk?, length: Int) -> [UInt32]? {
        shrunk.map { $0.course.answers + [UInt32](repeating: 0, count: length - $0.course.given) }
    }

    @Test("The only relevant departure is left, with its smallest number", arguments: [0, 1, 499, 998, 999])
    func one(_ place: Int) throws {
        var rule = Rule(length: 1_000) { $0[place] >= 17 }
        let shrunk = try Shrinker().shrink(course((0..<1_000).map { UInt32($0) + 100 })) { try rule.run($0) }
        var expected = [UInt32](repeating: 0, count: 1_000)
        expected[place] = 17
        #expect(answers(shrunk, length: 1_000) == expected)
        #expect(shrunk?.isComplete == true)
        #expect(shrunk?.tries == rule.runs.count)
    }

    @Test("Three departures that are relevant together are left")
    func three() throws {
        var rule = Rule(length: 1_400) { $0[3] >= 2 && $0[700] >= 1 && $0[1_399] >= 500 }
        let shrunk = try Shrinker().shrink(course([UInt32](repeating: 900, count: 1_400))) { try rule.run($0) }
        var expected = [UInt32](repeating: 0, count: 1_400)
        (expected[3], expected[700], expected[1_399]) = (2, 1, 500)
        #expect(answers(shrunk, length: 1_400) == expected)
        #expect(shrunk?.isComplete == true)
    }

    @Test("A failure that needs no departure keeps none")
    func none() throws {
        var rule = Rule(length: 50) { _ in true }
        let shrunk = try Shrinker().shrink(course([UInt32](repeating: 5, count: 50))) { try rule.run($0) }
        #expect(shrunk?.course.departures == [])
        #expect(shrunk?.tries == 2)
        let dull = try Shrinker().shrink(course([0, 0])) { try rule.run($0) }
        #expect(dull?.tries == 1)
    }

    @Test("A course that does not fail again cannot be shrunk")
    func notReproduced() throws {
        var rule = Rule(length: 50) { _ in false }
        let shrunk = try Shrinker().shrink(course([1, 2, 3])) { try rule.run($0) }
        #expect(shrunk == nil)
        #expect(rule.runs.count == 1)
    }

    @Test("The number of worlds is limited, and the best course so far is returned", arguments: [-1, 0, 1, 2, 7, 40])
    func bounded(_ tries: Int) throws {
        var rule = Rule(length: 600) { $0.count { $0 >= 3 } >= 20 }
        let first = try course([UInt32](repeating: 9, count: 600))
        let shrunk = try #require(try Shrinker(mostTries: tries).shrink(first) { try rule.run($0) })
        #expect(rule.runs.count == max(1, tries))
        #expect(shrunk.tries == rule.runs.count)
        #expect(!shrunk.isComplete)
        #expect(Shrinker.Size(of: [shrunk.course]) <= Shrinker.Size(of: [first]))
    }

    @Test("A course whose shorter forms ask other questions is never replaced by a larger one")
    func shifting() throws {
        // Leaving out a departure makes the world ask more questions, and take more departures.
        var smallest = 8
        let first = Course(
            seed: 1, following: try (0..<8).map { try Decision(.latency, options: 9, taken: 4, ordinal: $0) })
        let shrunk = try Shrinker().shrink(first) { course throws in
            let departures = course.departures.count
            smallest = min(smallest, departures)
            let decisions =
                departures == 8
                ? try (0..<8).map { try Decision(.latency, options: 9, taken: 4, ordinal: $0) }
                : try (0..<20).map { try Decision(.latency, options: 9, taken: 8, ordinal: $0) }
            return Shrinker.Trial(decisions: decisions, fails: true)
        }
        #expect(smallest < 8)
        #expect(shrunk?.course == first)
    }

    @Test("A world that answers randomly ends the search, and never enlarges the course")
    func unfaithful() throws {
        var generator = SplitMix(state: 1)
        for _ in 0..<200 {
            let first = try course((0..<40).map { _ in UInt32.random(in: 0...9, using: &generator) })
            var runs = 0
            let shrunk = try Shrinker(mostTries: 100_000).shrink(first) { course throws in
                runs += 1
                if runs == 1 { return Shrinker.Trial(decisions: try course.asTaken, fails: true) }
                let decisions = try course.answers.enumerated().map { ordinal, answer in
                    let taken = UInt32.random(in: 0...(answer + 1), using: &generator)
                    return try Decision(.latency, options: 1_000_000, taken: taken, ordinal: ordinal)
                }
                return Shrinker.Trial(decisions: decisions, fails: Bool.random(using: &generator))
            }
            let result = try #require(shrunk)
            #expect(result.isComplete)
            #expect(Shrinker.Size(of: [result.course]) <= Shrinker.Size(of: [first]))
        }
    }

    @Test("A few needed departures among many are found in a few tries each", arguments: [1, 2, 3, 5])
    func tries(_ needed: Int) throws {
        var generator = SplitMix(state: UInt64(needed))
        for _ in 0..<20 {
            let places = Set((0..<needed).map { _ in Int.random(in: 0..<4_096, using: &generator) })
            var rule = Rule(length: 4_096) { answers in places.allSatisfy { answers[$0] > 0 } }
            let first = try course([UInt32](repeating: 1, count: 4_096))
            let shrunk = try #require(try Shrinker().shrink(first) { try rule.run($0) })
            #expect(shrunk.course.departures.map(\.index) == places.sorted())
            // For each departure the steps of a bisection, and one for its parent; then everything again, to confirm
            // that nothing more can be left out.
            #expect(shrunk.tries <= 6 + needed * 28, "\(shrunk.tries) tries for \(places.sorted())")
        }
    }

    @Test("The courses of several worlds are shrunk together, and unneeded ones are emptied")
    func several() throws {
        func departures(_ taken: [UInt32]) throws -> Course {
            Course(
                seed: 1,
                following: try taken.enumerated().map {
                    try Decision(.interruption, options: 2, taken: $1, ordinal: $0)
                })
        }
        let first = [
            "a": try departures([UInt32](repeating: 1, count: 300)), "b": try departures([1, 1, 1]),
            "c": try departures([UInt32](repeating: 1, count: 900)),
        ]
        var runs = 0
        let shrunk = try Shrinker().shrink(first) { courses throws in
            runs += 1
            func takes(_ name: String, _ index: Int) -> Bool {
                courses[name]?.departures.contains { $0.decision.place.ordinal == UInt32(index) } ?? false
            }
            // The world “b” does not exist when nothing happens to the others, so its course disappears, too.
            let isThere = takes("c", 899)
            let taken = courses.filter { $0.key != "b" || isThere }
            return Shrinker.Trials(courses: taken, fails: takes("a", 17) && isThere)
        }
        let smallest = try #require(shrunk)
        #expect(smallest.courses.mapValues { $0.departures.map(\.index) } == ["a": [17], "b": [], "c": [899]])
        #expect(smallest.isComplete, "\(runs) runs")
        #expect(smallest.tries == runs, "\(runs) runs")
        #expect(runs < 60, "\(runs) runs")
    }

    @Test("A departure answers the same question when the world asks others before it")
    func moving() throws {
        // Each interruption makes the world ask two more questions; it fails because of the third latency alone.
        func run(_ course: Course) throws -> Shrinker.Trial {
            var counts: [DecisionKind: Int] = [:]
            func decide(_ kind: DecisionKind, _ options: UInt32) throws -> Decision {
                let place = Place(site: UInt64(kind.rawValue), ordinal: UInt32(counts[kind, default: 0]))
                counts[kind, default: 0] += 1
                let departure = course.departures.first { $0.decision.place == place }
                return try Decision(kind, options: options, taken: departure?.decision.taken ?? 0, at: place)
            }
            var decisions: [Decision] = []
            var latencies: [UInt32] = []
            for _ in 0..<5 {
                let interruption = try decide(.interruption, 2)
                decisions.append(interruption)
                if !interruption.isDull {
                    for _ in 0..<2 { decisions.append(try decide(.thread, 3)) }
                }
                let latency = try decide(.latency, 100)
                latencies.append(latency.taken)
                decisions.append(latency)
            }
            return Shrinker.Trial(decisions: decisions, fails: latencies[2] >= 60)
        }
        var first: [Departure] = []
        for index in 0..<20 {
            // The order of the questions when each interruption is taken.
            let kind: DecisionKind = [.interruption, .thread, .thread, .latency][index % 4]
            let options: UInt32 = [2, 3, 3, 100][index % 4]
            let ordinal = kind == .thread ? index / 4 * 2 + index % 4 - 1 : index / 4
            let place = Place(site: UInt64(kind.rawValue), ordinal: UInt32(ordinal))
            let taken: UInt32 = index == 11 ? 90 : 1
            first.append(Departure(at: index, try Decision(kind, options: options, taken: taken, at: place)))
        }
        let shrunk = try Shrinker().shrink(try Course(seed: 1, departures: first)) { try run($0) }
        let place = Place(site: UInt64(DecisionKind.latency.rawValue), ordinal: 2)
        let needed = try Decision(.latency, options: 100, taken: 60, at: place)
        #expect(shrunk?.course.departures == [Departure(at: 5, needed)])
    }

    @Test("An error in a run ends the search and is rethrown")
    func failing() throws {
        struct Broken: Error, Equatable {}
        var runs = 0
        let first = try course([1, 2, 3])
        let taken = try first.asTaken
        #expect(throws: Broken()) {
            try Shrinker().shrink(first) { course throws(Broken) in
                runs += 1
                if runs == 2 { throw Broken() }
                return Shrinker.Trial(decisions: taken, fails: true)
            }
        }
        #expect(runs == 2)
    }

    @Test("Each run has dull decisions after the given ones, and the seed and the strategy of the first")
    func remainder() throws {
        var rule = Rule(length: 10) { $0[4] > 0 }
        var first = try course([UInt32](repeating: 3, count: 10))
        first.remainder = .drawn
        first.strategy = .priorities(depth: 3, steps: 10)
        _ = try Shrinker().shrink(first) { try rule.run($0) }
        #expect(rule.runs.filter { $0.remainder != .dull } == [])
        #expect(rule.runs.filter { $0.seed != 1 } == [])
        #expect(rule.runs.filter { $0.strategy != first.strategy } == [])
        #expect(rule.runs.count > 3)
    }
}

extension Course {
    /// The decisions of a world that follows the course and asks nothing else.
    fileprivate var asTaken: [Decision] {
        get throws {
            try answers.enumerated().map { try Decision(.latency, options: 1_000_000, taken: $1, ordinal: $0) }
        }
    }
}
