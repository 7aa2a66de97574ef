import Testing

@testable import VirtualTime

@Suite("Shrinking")
struct ShrinkerTests {
    /// A world in which decision N has N + 2 possibilities, and which fails by a rule over all answers.
    private struct Rule {
        let length: Int
        let fails: ([UInt32]) -> Bool
        private(set) var runs: [Course] = []

        init(length: Int, fails: @escaping ([UInt32]) -> Bool) { (self.length, self.fails) = (length, fails) }

        mutating func run(_ course: Course) throws -> Shrinker.Trial {
            runs.append(course)
            var answers = course.answers + [UInt32](repeating: 0, count: max(0, length - course.given))
            answers.removeLast(max(0, answers.count - length))
            let decisions = try answers.map { try Decision(.latency, options: 1_000_000, taken: $0) }
            return Shrinker.Trial(decisions: decisions, fails: fails(answers))
        }
    }

    private func course(_ answers: [UInt32]) throws -> Course {
        Course(seed: 1, following: try answers.map { try Decision(.latency, options: 1_000_000, taken: $0) })
    }

    private func answers(_ shrunk: Shrunk?, length: Int) -> [UInt32]? {
        shrunk.map { $0.course.answers + [UInt32](repeating: 0, count: length - $0.course.given) }
    }

    @Test("The one departure that matters is left, at its smallest number", arguments: [0, 1, 499, 998, 999])
    func one(_ place: Int) throws {
        var rule = Rule(length: 1_000) { $0[place] >= 17 }
        let shrunk = try Shrinker().shrink(course((0..<1_000).map { UInt32($0) + 100 })) { try rule.run($0) }
        var expected = [UInt32](repeating: 0, count: 1_000)
        expected[place] = 17
        #expect(answers(shrunk, length: 1_000) == expected)
        #expect(shrunk?.isComplete == true)
        #expect(shrunk?.tries == rule.runs.count)
    }

    @Test("Three departures that matter together are left")
    func three() throws {
        var rule = Rule(length: 1_400) { $0[3] >= 2 && $0[700] >= 1 && $0[1_399] >= 500 }
        let shrunk = try Shrinker().shrink(course([UInt32](repeating: 900, count: 1_400))) { try rule.run($0) }
        var expected = [UInt32](repeating: 0, count: 1_400)
        (expected[3], expected[700], expected[1_399]) = (2, 1, 500)
        #expect(answers(shrunk, length: 1_400) == expected)
        #expect(shrunk?.isComplete == true)
    }

    @Test("A failure that needs no departure is left with none")
    func none() throws {
        var rule = Rule(length: 50) { _ in true }
        let shrunk = try Shrinker().shrink(course([UInt32](repeating: 5, count: 50))) { try rule.run($0) }
        #expect(shrunk?.course.departures == [])
        #expect(shrunk?.tries == 2)
        let dull = try Shrinker().shrink(course([0, 0])) { try rule.run($0) }
        #expect(dull?.tries == 1)
    }

    @Test("A course that does not fail again has no smaller one")
    func notReproduced() throws {
        var rule = Rule(length: 50) { _ in false }
        let shrunk = try Shrinker().shrink(course([1, 2, 3])) { try rule.run($0) }
        #expect(shrunk == nil)
        #expect(rule.runs.count == 1)
    }

    @Test("No more worlds are run than allowed, and the best so far is returned", arguments: [-1, 0, 1, 2, 7, 40])
    func bounded(_ tries: Int) throws {
        var rule = Rule(length: 600) { $0.count { $0 >= 3 } >= 20 }
        let first = try course([UInt32](repeating: 9, count: 600))
        let shrunk = try #require(try Shrinker(mostTries: tries).shrink(first) { try rule.run($0) })
        #expect(rule.runs.count == max(1, tries))
        #expect(shrunk.tries == rule.runs.count)
        #expect(!shrunk.isComplete)
        #expect(shrunk.course.size <= first.size)
    }

    @Test("A course whose shorter forms ask other questions is never replaced by a greater one")
    func shifting() throws {
        // A departure that is left out makes the world ask more, and take more.
        var smallest = 8
        let first = Course(
            seed: 1, following: try (0..<8).map { _ in try Decision(.latency, options: 9, taken: 4) })
        let shrunk = try Shrinker().shrink(first) { course throws in
            let departures = course.departures.count
            smallest = min(smallest, departures)
            let decisions =
                departures == 8
                ? try (0..<8).map { _ in try Decision(.latency, options: 9, taken: 4) }
                : try (0..<20).map { _ in try Decision(.latency, options: 9, taken: 8) }
            return Shrinker.Trial(decisions: decisions, fails: true)
        }
        #expect(smallest < 8)
        #expect(shrunk?.course == first)
    }

    @Test("A world that answers at random ends the search, and never makes the course worse")
    func unfaithful() throws {
        var generator = SplitMix(state: 1)
        for _ in 0..<200 {
            let first = try course((0..<40).map { _ in UInt32.random(in: 0...9, using: &generator) })
            var runs = 0
            let shrunk = try Shrinker(mostTries: 100_000).shrink(first) { course throws in
                runs += 1
                if runs == 1 { return Shrinker.Trial(decisions: course.asTaken, fails: true) }
                let decisions = try course.answers.map { answer in
                    let taken = UInt32.random(in: 0...(answer + 1), using: &generator)
                    return try Decision(.latency, options: 1_000_000, taken: taken)
                }
                return Shrinker.Trial(decisions: decisions, fails: Bool.random(using: &generator))
            }
            let result = try #require(shrunk)
            #expect(result.isComplete)
            #expect(result.course.size <= first.size)
        }
    }

    @Test("A departure is found again when the world asks its question at another place")
    func moving() throws {
        // Each interruption that is taken makes the world ask two more questions; it fails by the third latency alone.
        func run(_ course: Course) throws -> Shrinker.Trial {
            func decide(_ kind: DecisionKind, _ options: UInt32, at index: Int) throws -> Decision {
                let departure = course.departures.first { $0.index == index && $0.decision.kind == kind }
                return try Decision(kind, options: options, taken: departure?.decision.taken ?? 0)
            }
            var decisions: [Decision] = []
            var latencies: [UInt32] = []
            for _ in 0..<5 {
                let interruption = try decide(.interruption, 2, at: decisions.count)
                decisions.append(interruption)
                if !interruption.isDull {
                    for _ in 0..<2 { decisions.append(try decide(.thread, 3, at: decisions.count)) }
                }
                let latency = try decide(.latency, 100, at: decisions.count)
                latencies.append(latency.taken)
                decisions.append(latency)
            }
            return Shrinker.Trial(decisions: decisions, fails: latencies[2] >= 60)
        }
        var generator = DecisionSource(Course(seed: 5))
        var first: [Departure] = []
        for index in 0..<20 {
            // Questions come in this order when each interruption is taken.
            let kind: DecisionKind = [.interruption, .thread, .thread, .latency][index % 4]
            let options: UInt32 = [2, 3, 3, 100][index % 4]
            let low = 1 + generator.choose(.application, among: Int(options) - 1)
            first.append(
                Departure(at: index, try Decision(kind, options: options, taken: index == 11 ? 90 : UInt32(low))))
        }
        let shrunk = try Shrinker().shrink(try Course(seed: 1, departures: first)) { try run($0) }
        #expect(shrunk?.course.departures == [Departure(at: 5, try Decision(.latency, options: 100, taken: 60))])
    }

    @Test("An error of a run ends the search and comes to the caller")
    func failing() throws {
        struct Broken: Error, Equatable {}
        var runs = 0
        let first = try course([1, 2, 3])
        #expect(throws: Broken()) {
            try Shrinker().shrink(first) { course throws(Broken) in
                runs += 1
                if runs == 2 { throw Broken() }
                return Shrinker.Trial(decisions: course.asTaken, fails: true)
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
        #expect(rule.runs.allSatisfy { $0.remainder == .dull && $0.seed == 1 && $0.strategy == first.strategy })
        #expect(rule.runs.count > 3)
    }
}

extension Course {
    /// The decisions of a world that follows the course and asks nothing else; dull ones are latencies.
    fileprivate var asTaken: [Decision] {
        var decisions = answers.map { _ in departures.first?.decision.lowered(to: 0) }
        for departure in departures { decisions[departure.index] = departure.decision }
        return decisions.compactMap(\.self)
    }
}
