/// Makes a failing course small: as few departures from the dullest course as possible, and those as small as possible.
///
/// It is delta debugging over departures. First all are left out, then halves, quarters, and so on down to single ones; then the numbers of those
/// that are left are lowered; and all over again, until nothing more can be taken away.
public struct Shrinker: Sendable {
    /// 500: a small world takes some milliseconds, and courses of a thousand departures need about 150 tries.
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
        var first = course
        first.remainder = .dull
        let trial = try run(first)
        guard trial.fails else { return nil }
        var search = Search(first, trial.decisions, mostTries: mostTries)
        var before: Size
        repeat {
            before = search.best.size
            try search.leaveOut(run)
            try search.lower(run)
        } while search.best.size < before && !search.isOver
        return Shrunk(course: search.best, tries: search.tries, isComplete: !search.isOver)
    }
}
