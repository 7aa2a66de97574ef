extension Conductor {
    /// The decisions after which no further performance is tried, 10 million: those of hundreds of usual performances, and of ten that never
    /// stop computing, each of which takes some ten seconds.
    public static let mostShrinkingDecisions: UInt64 = 10_000_000

    /// Makes the course of a failed performance small: the conductor's course and those of all processes together.
    ///
    /// - Parameters:
    ///   - performance: The failed performance.
    ///   - script: The script that was performed.
    ///   - mostTries: The most performances to run.
    ///   - mostDecisions: The decisions of all performances after which no further one is run.
    ///   - isStopped: A closure that returns true if no further performance is wanted. It is asked after each.
    ///   - fails: A closure that returns true if a performance fails in the same way as the first.
    /// - Returns: The smallest course found, which was performed and failed, the number of performances, and false if these did
    ///   not suffice. Nil if the failure cannot be reproduced.
    public func shrink(
        _ performance: Performance, of script: Script, mostTries: Int = Shrinker.usualTries,
        mostDecisions: UInt64 = Self.mostShrinkingDecisions, isStopped: () -> Bool = { false },
        fails: (Performance) -> Bool
    ) throws(ConductorError) -> (course: JointCourse, tries: Int, isComplete: Bool)? {
        let seed = performance.course.seed
        var decisions: UInt64 = 0
        let shrunk = try Shrinker(mostTries: mostTries).shrink(performance.followed.parts) {
            courses throws(ConductorError) in
            let again = try perform(script, JointCourse(seed: seed, parts: courses))
            decisions += again.processes.reduce(0) { $0 + $1.world.counts.draws }
            return Shrinker.Trials(
                courses: again.followed.parts, fails: fails(again),
                isLast: decisions >= mostDecisions || isStopped())
        }
        return shrunk.map { (JointCourse(seed: seed, parts: $0.courses), $0.tries, $0.isComplete) }
    }
}

extension JointCourse {
    /// The courses of the processes, and the conductor's under nil.
    fileprivate var parts: [Life?: Course] {
        var parts: [Life?: Course] = [nil: conductor]
        for (life, course) in processes { parts[life] = course }
        return parts
    }

    fileprivate init(seed: UInt64, parts: [Life?: Course]) {
        var processes: [Life: Course] = [:]
        for case (let life?, let course) in parts { processes[life] = course }
        self.init(conductor: parts[nil] ?? Course(seed: seed), processes: processes)
    }
}
