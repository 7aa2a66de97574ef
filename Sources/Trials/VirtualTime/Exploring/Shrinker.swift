/// Makes failing courses small: as few departures from the dullest course as possible, and those as small as possible.
///
/// It looks for a smallest set of departures that still fails, by halves: which of the later half are needed if all of the earlier one are there, and
/// then which of the earlier one. A failure that needs few of many is found in some tries for each. Then the numbers of those that are left are lowered.
public struct Shrinker: Sendable {
    /// 500: a small world takes some milliseconds, and courses of a thousand departures need about 50 tries.
    public static let usualTries = 500

    /// The most worlds that are run, the first included, which confirms the failure.
    public let mostTries: Int

    public init(mostTries: Int = Self.usualTries) { self.mostTries = max(1, mostTries) }

    /// - Parameters:
    ///   - course: A course that fails, with all of its decisions given: ``Course/init(seed:strategy:following:then:)``.
    ///   - run: Runs a course.
    /// - Returns: The smallest course found, which was run and failed. Nil if the course itself does not fail when it is run again with dull
    ///   decisions after those given.
    public func shrink<Failure: Error>(
        _ course: Course, run: (Course) throws(Failure) -> Trial
    ) throws(Failure) -> Shrunk? {
        // One world has one course.
        let shrunk = try shrink([0: course]) { courses throws(Failure) in
            let trial = try run(courses[0] ?? course)
            return Trials(courses: [0: Course(seed: course.seed, following: trial.decisions)], fails: trial.fails)
        }
        return shrunk.map { Shrunk(course: $0.courses[0] ?? course, tries: $0.tries, isComplete: $0.isComplete) }
    }

    /// Makes the courses of several worlds small that fail together.
    func shrink<Part: Hashable, Failure: Error>(
        _ courses: [Part: Course], run: ([Part: Course]) throws(Failure) -> Trials<Part>
    ) throws(Failure) -> (courses: [Part: Course], tries: Int, isComplete: Bool)? {
        let first = courses.mapValues { course in
            var course = course
            course.remainder = .dull
            return course
        }
        let trial = try run(first)
        guard trial.fails else { return nil }
        var search = Search(first, trial.courses, mostTries: mostTries)
        try search.leaveOutKinds(run)
        var before: Size
        repeat {
            before = search.size
            try search.leaveOut(run)
            try search.lower(run)
        } while search.size < before && !search.isOver
        return (search.best, search.tries, !search.isOver)
    }
}
