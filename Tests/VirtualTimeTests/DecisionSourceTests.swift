import Testing

@testable import VirtualTime

@Suite("Drawing decisions")
struct DecisionSourceTests {
    private func answers(_ course: Course, _ options: [Int]) -> [Int] {
        var source = DecisionSource(course)
        return options.map { source.choose(.thread, among: $0) }
    }

    @Test("A seed decides all, each possibility comes, and none beyond")
    func seeds() {
        let options = (0..<1_000).map { 1 + $0 % 7 }
        let first = answers(Course(seed: 3), options)
        #expect(first == answers(Course(seed: 3), options))
        #expect(first != answers(Course(seed: 4), options))
        for (answer, options) in zip(first, options) { #expect((0..<options).contains(answer)) }
        #expect(Set(zip(first, options).filter { $1 == 7 }.map(\.0)) == Set(0..<7))
    }

    @Test("What has one answer is no decision")
    func noChoice() {
        var source = DecisionSource(Course(seed: 3))
        #expect(source.choose(.fault, among: 1) == 0)
        #expect(source.choose(.fault, among: 0) == 0)
        #expect(source.choose(.fault, among: -1) == 0)
        #expect(source.decisions.isEmpty)
    }

    @Test("Given decisions come first, and then those that the seed would have drawn at their places")
    func given() throws {
        let options = [Int](repeating: 100, count: 6)
        let drawn = answers(Course(seed: 9), options)
        let given = try [5, 0, 99].map { try Decision(.thread, options: 100, taken: $0) }
        #expect(answers(Course(seed: 9, following: given, then: .drawn), options) == [5, 0, 99] + drawn[3...])
        #expect(answers(Course(seed: 9, following: given, then: .dull), options) == [5, 0, 99, 0, 0, 0])
    }

    @Test("An answer that is no longer possible becomes the last possible one")
    func fewerOptions() throws {
        let given = [try Decision(.thread, options: 100, taken: 50)]
        #expect(answers(Course(seed: 9, following: given), [3]) == [2])
    }

    @Test("A rare decision is 0 most of the time, and each other number as often as the rest")
    func rare() {
        var source = DecisionSource(Course(seed: 5))
        let taken = (0..<8_000).map { _ in source.choose(.fault, among: 5, oneIn: 4) }
        let counts = (0..<5).map { number in taken.count { $0 == number } }
        #expect((5_700...6_300).contains(counts[0]), "\(counts)")
        #expect(counts.dropFirst().allSatisfy { (400...600).contains($0) }, "\(counts)")
        #expect(source.decisions.allSatisfy { $0.options == 5 })
    }

    @Test("Each life of a program has a course of its own, by the seed, its name and its number, or as given")
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
