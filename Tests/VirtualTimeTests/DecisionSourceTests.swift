import Testing

@testable import VirtualTime

@Suite("Drawing decisions")
struct DecisionSourceTests {
    private func answers(_ course: Course, _ options: [Int]) -> [Int] {
        var source = DecisionSource(course)
        return options.map { source.choose(.thread, among: $0, about: "turn", at: 0) }
    }

    /// The decision about a turn at time 0.
    private static func turn(_ ordinal: Int, _ taken: UInt32, options: UInt32) throws -> Decision {
        let site = DecisionSource.site(of: .thread, about: "turn", at: 0)
        return try Decision(.thread, options: options, taken: taken, at: Place(site: site, ordinal: UInt32(ordinal)))
    }

    @Test("A seed decides everything, and every possibility occurs, but none out of range")
    func seeds() {
        let options = (0..<1_000).map { 1 + $0 % 7 }
        let first = answers(Course(seed: 3), options)
        #expect(first == answers(Course(seed: 3), options))
        #expect(first != answers(Course(seed: 4), options))
        for (answer, options) in zip(first, options) { #expect((0..<options).contains(answer)) }
        #expect(Set(zip(first, options).filter { $1 == 7 }.map(\.0)) == Set(0..<7))
    }

    @Test("A question with a single answer is not a decision")
    func noChoice() {
        var source = DecisionSource(Course(seed: 3))
        #expect(source.choose(.fault, among: 1, about: "a", at: 0) == 0)
        #expect(source.choose(.fault, among: 0, about: "a", at: 0) == 0)
        #expect(source.choose(.fault, among: -1, about: "a", at: 0) == 0)
        #expect(source.decisions.isEmpty)
    }

    @Test("The given decisions come first, then the ones that the seed would have drawn at their places")
    func given() throws {
        let options = [Int](repeating: 100, count: 6)
        let drawn = answers(Course(seed: 9), options)
        let given = try [5, 0, 99].enumerated().map { try Self.turn($0, $1, options: 100) }
        #expect(answers(Course(seed: 9, following: given, then: .drawn), options) == [5, 0, 99] + drawn[3...])
        #expect(answers(Course(seed: 9, following: given, then: .dull), options) == [5, 0, 99, 0, 0, 0])
    }

    @Test("An answer that is no longer possible becomes the last possible one")
    func fewerOptions() throws {
        let given = [try Self.turn(0, 50, options: 100)]
        #expect(answers(Course(seed: 9, following: given), [3]) == [2])
    }

    @Test("A given decision answers its own question, whatever is asked before")
    func places() throws {
        let place = Place(site: DecisionSource.site(of: .fault, about: "b", at: 0), ordinal: 1)
        let given = try Decision(.fault, options: 9, taken: 7, at: place)
        for others in 0...3 {
            var source = DecisionSource(Course(seed: 1, following: [given]))
            for time in 0..<others { #expect(source.choose(.fault, among: 9, about: "a", at: Int64(time)) == 0) }
            let answers = (0..<3).map { source.choose(.fault, among: 9, about: "b", at: $0 * 1_000_000_000) }
            #expect(answers == [0, 7, 0], "after \(others) other questions")
            #expect(source.choose(.latency, among: 9, about: "b", at: 0) == 0, "it is of another kind")
            #expect(source.departures.map(\.index) == [others + 1])
            #expect(source.departures.first?.circumstance == Circumstance(time: 1_000_000_000, subject: "b"))
        }
    }

    @Test("Turns are counted per tenth of a second, with full seconds in the middle of one")
    func periods() throws {
        let second: Int64 = 1_000_000_000
        func places(_ times: [Int64]) -> [Place] {
            var source = DecisionSource(Course(seed: 1))
            for time in times { _ = source.choose(.thread, among: 2, about: "turn", at: time) }
            return source.decisions.map(\.place)
        }
        let late = places([0, 1, second - 49_000_000, second, second + 49_000_000, 2 * second])
        #expect(late.map(\.ordinal) == [0, 1, 0, 1, 2, 0])
        #expect(Set(late.map(\.site)).count == 3)
        // One turn fewer in the first second does not change the others.
        #expect(places([0, second, second, second, 2 * second]).suffix(4) == late.suffix(4))
    }

    @Test("A rare decision is 0 most of the time, and all other numbers are equally likely")
    func rare() {
        var source = DecisionSource(Course(seed: 5))
        let taken = (0..<8_000).map { _ in source.choose(.fault, among: 5, oneIn: 4, about: "a", at: 0) }
        let counts = (0..<5).map { number in taken.count { $0 == number } }
        #expect((5_700...6_300).contains(counts[0]), "\(counts)")
        #expect(counts.dropFirst().allSatisfy { (400...600).contains($0) }, "\(counts)")
        #expect(Set(source.decisions.map(\.options)) == [5])
    }

    @Test("Each life of a program has its own course, given or derived from the seed, the name and the number")
    func jointCourses() {
        let lives = ["phone", "watch"].flatMap { name in (1...50).map { Life(name, $0) } }
        var course = JointCourse(seed: 1, strategy: .priorities(depth: 2, steps: 10))
        let seeds = lives.map { course.course(of: $0).seed }
        #expect(Set(seeds).count == 100)
        #expect(seeds == lives.map { JointCourse(seed: 1).course(of: $0).seed })
        #expect(seeds[0] != JointCourse(seed: 2).course(of: lives[0]).seed)
        #expect(course.course(of: lives[3]).strategy == .priorities(depth: 2, steps: 10))
        course.processes = [lives[0]: Course(seed: 42)]
        course.remainder = .dull
        #expect(course.course(of: lives[0]) == Course(seed: 42))
        #expect(course.course(of: lives[1]).remainder == .dull)
        #expect(course.course(of: lives[1]).seed == seeds[1])
    }
}
