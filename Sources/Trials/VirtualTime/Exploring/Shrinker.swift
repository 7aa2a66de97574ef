/// A search that makes failing courses small: as few departures from the dullest course as possible, each with the
/// smallest possible number.
///
/// It looks for a minimal set of departures that still fails by bisection: first which departures of the later half are
/// needed when the earlier half is complete, then which of the earlier half. A failure that needs few departures out of
/// many takes a few tries for each. The numbers of the remaining departures are then lowered.
public struct Shrinker: Sendable {
    /// The default number of tries, 500: a small world takes a few milliseconds, and a course of a thousand departures
    /// needs about 50 tries.
    public static let usualTries = 500

    /// The most worlds to run, including the first, which confirms the failure.
    public let mostTries: Int

    /// Creates a shrinker. It runs at least one world.
    public init(mostTries: Int = Self.usualTries) { self.mostTries = max(1, mostTries) }

    /// Makes a failing course small.
    ///
    /// - Parameters:
    ///   - course: A course that fails, with all of its decisions given:
    ///     ``Course/init(seed:strategy:following:then:)``.
    ///   - run: Runs a course.
    /// - Returns: The smallest course found; it was run and failed. Nil if the course itself does not fail when it runs
    ///   again with dull decisions after the given ones.
    public func shrink<Failure: Error>(
        _ course: Course, run: (Course) throws(Failure) -> Trial
    ) throws(Failure) -> Shrunk? {
        // A single world has a single course.
        let shrunk = try shrink([0: course]) { courses throws(Failure) in
            let trial = try run(courses[0] ?? course)
            return Trials(courses: [0: Course(seed: course.seed, following: trial.decisions)], fails: trial.fails)
        }
        return shrunk.map { Shrunk(course: $0.courses[0] ?? course, tries: $0.tries, isComplete: $0.isComplete) }
    }

    /// Makes the courses of several worlds that fail together small.
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
        var search = Search(first, trial, mostTries: mostTries)
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
