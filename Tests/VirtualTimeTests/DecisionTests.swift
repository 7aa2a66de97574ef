import Testing

@testable import VirtualTime

@Suite("Decisions and courses")
struct DecisionTests {
    @Test("A decision has at least two possibilities, and takes one of them")
    func bounds() throws {
        let least = try Decision(.latency, options: 2, taken: 1)
        #expect((least.options, least.taken) == (2, 1))
        let greatest = try Decision(.application, options: .max, taken: .max - 1)
        #expect(greatest.taken == UInt32.max - 1)
        #expect(throws: DecisionError.noChoice(.fault, options: 1)) { try Decision(.fault, options: 1, taken: 0) }
        #expect(throws: DecisionError.noChoice(.fault, options: 0)) { try Decision(.fault, options: 0, taken: 0) }
        #expect(throws: DecisionError.outOfRange(.wake, options: 2, taken: 2)) {
            try Decision(.wake, options: 2, taken: 2)
        }
        #expect(
            DecisionError.outOfRange(.wake, options: 2, taken: 2).description
                == "a decision of kind “wake” took possibility 2: it must be between 0 and 1")
    }

    @Test("A decision is lowered, never raised")
    func lowering() throws {
        let decision = try Decision(.stall, options: 100, taken: 40)
        #expect(decision.lowered(to: 39).taken == 39)
        #expect(decision.lowered(to: 0).isDull)
        #expect(decision.lowered(to: 41) == decision)
    }

    @Test("Each kind can be created from its name", arguments: DecisionKind.allCases)
    func names(_ kind: DecisionKind) {
        #expect(DecisionKind(name: kind.name) == kind)
    }

    @Test("An unknown name gives no kind")
    func unknownName() {
        #expect(DecisionKind(name: "") == nil)
        #expect(DecisionKind(name: "Latency") == nil)
    }

    @Test("A course keeps the decisions that are not dull, and gives the same answers as the world")
    func following() throws {
        let decisions = try [0, 3, 0, 0, 1, 0].enumerated().map {
            try Decision(.thread, options: 4, taken: $1, ordinal: $0)
        }
        let course = Course(seed: 7, following: decisions)
        #expect(course.departures.map(\.index) == [1, 4])
        #expect(course.given == 6)
        #expect(course.answers == [0, 3, 0, 0, 1, 0])
        #expect(course.remainder == .dull)
        #expect(course.divergence(from: decisions) == nil)
    }

    @Test("A course with only a seed gives no decision, and draws all")
    func seedAlone() {
        let course = Course(seed: 7)
        #expect(course.answers.isEmpty)
        #expect(course.remainder == .drawn)
        #expect(course.divergence(from: []) == nil)
    }

    @Test("Departures out of order, before 0, beyond the end, or too numerous are rejected")
    func disorder() throws {
        let decisions = try (0..<2).map { try Decision(.fault, options: 2, taken: 1, ordinal: $0) }
        func course(_ indices: [Int], given: Int? = nil) throws(CourseError) -> Course {
            let departures = zip(indices, decisions).map { Departure(at: $0, $1) }
            return try Course(seed: 1, departures: departures, given: given)
        }
        #expect(throws: CourseError.disorder(2, after: 2)) { try course([2, 2]) }
        #expect(throws: CourseError.disorder(1, after: 2)) { try course([2, 1]) }
        #expect(throws: CourseError.disorder(-1, after: -1)) { try course([-1]) }
        #expect(throws: CourseError.beyondEnd(5, given: 5)) { try course([5], given: 5) }
        let six = try course([5], given: 6)
        #expect(six.given == 6)
        let longest = try course([Course.mostGiven - 1])
        #expect(longest.given == Course.mostGiven)
        #expect(throws: CourseError.tooLong(Course.mostGiven + 1)) { try course([Course.mostGiven]) }
        #expect(throws: CourseError.beyondEnd(0, given: -1)) { try course([0], given: -1) }
        #expect(throws: CourseError.beyondEnd(-1, given: -1)) { try course([], given: -1) }
    }

    @Test("A duplicate place is rejected")
    func samePlace() throws {
        let decision = try Decision(.fault, options: 2, taken: 1, ordinal: 4)
        let error = #expect(throws: CourseError.samePlace(3)) {
            try Course(seed: 1, departures: [Departure(at: 1, decision), Departure(at: 3, decision)])
        }
        #expect(
            error?.description == "decision 3 has the same place as an earlier one: each place can be listed only once")
    }

    @Test("A dull decision among departures is dropped, but still given")
    func dullDeparture() throws {
        let dull = try Decision(.fault, options: 2, taken: 0)
        let course = try Course(seed: 1, departures: [Departure(at: 3, dull)])
        #expect(course.departures.isEmpty)
        #expect(course.answers == [0, 0, 0, 0])
    }

    @Test("The divergence is the first decision that a world took differently")
    func divergence() throws {
        let first = try Decision(.latency, options: 10, taken: 4, ordinal: 0)
        let given = try Decision(.latency, options: 10, taken: 4, ordinal: 2)
        let course = try Course(seed: 1, departures: [Departure(at: 0, first), Departure(at: 2, given)])
        let dull = try Decision(.latency, options: 10, taken: 0, ordinal: 1)
        #expect(course.divergence(from: [first, dull, given, first]) == nil)
        let other = try Decision(.fault, options: 10, taken: 4, ordinal: 2)
        let divergence = course.divergence(from: [first, dull, other])
        #expect(divergence == Divergence(given: Departure(at: 2, given), taken: other))
        #expect(
            divergence?.description == "decision 2: latency 4 of 10 was given, but the world took fault 4 of 10")
        #expect(
            course.divergence(from: [first, dull])?.description
                == "the world ended before decision 2: latency 4 of 10")
    }

    @Test("The numbers of a strategy have limits")
    func strategies() throws {
        let strategy = Strategy.priorities(depth: 16, steps: 1 << 32)
        let validated = try strategy.validated()
        #expect(validated == strategy)
        let random = try Strategy.random.validated()
        #expect(random == .random)
        let wrong = [(0, 1, "depth"), (17, 1, "depth"), (1, 0, "steps"), (1, 1 << 32 + 1, "steps")]
        for (depth, steps, parameter) in wrong {
            let error = #expect(throws: StrategyError.self, "\(depth), \(steps)") {
                try Strategy.priorities(depth: depth, steps: steps).validated()
            }
            #expect(error?.parameter.rawValue == parameter)
        }
    }
}
