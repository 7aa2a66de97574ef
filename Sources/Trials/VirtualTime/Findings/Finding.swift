/// A failure that can be brought about again: what was run, by which course, and how it ended.
public struct Finding: Hashable, Sendable {
    /// The builds of the programs that took part, in their order.
    public let builds: [BuildIdentity]
    public let settings: WorldSettings
    /// In a finding of several programs: what was done to them, and when.
    public let script: Script?
    /// In a world of one process this is one. With a script the first is the conductor's, and the others are those of the processes in the order in
    /// which they began.
    public let courses: [Course]
    /// With a script: the processes whose courses follow the conductor's.
    public let lives: [Life]
    public let ending: Ending
    /// With a script: the courses in words, for people.
    public let words: [String]

    init(
        builds: [BuildIdentity], settings: WorldSettings, script: Script? = nil, courses: [Course], lives: [Life] = [],
        ending: Ending, words: [String] = []
    ) {
        (self.builds, self.settings, self.script) = (builds, settings, script)
        (self.courses, self.lives, self.ending, self.words) = (courses, lives, ending, words)
    }

    /// A failed world of the program that runs.
    public init(_ outcome: Outcome, settings: WorldSettings) throws(BuildIdentityError) {
        self.init(
            builds: [try BuildIdentity.current()], settings: settings, courses: [outcome.followed],
            ending: outcome.ending)
    }

    /// A failed performance.
    ///
    /// - Parameter ending: How it failed.
    public init(
        _ performance: Performance, of script: Script, settings: WorldSettings, ending: Ending
    ) throws(BuildIdentityError) {
        let course = performance.followed
        let lives = performance.processes.map(\.life)
        self.init(
            builds: try script.builds(), settings: settings, script: script,
            courses: [course.conductor] + lives.map { course.course(of: $0) }, lives: lives, ending: ending,
            words: ShortCourse.glance(ShortCourse(performance).lines))
    }

    /// How many decisions are not dull.
    public var departures: Int { courses.reduce(0) { $0 + $1.departures.count } }

    /// The course of a finding of several programs.
    public var jointCourse: JointCourse? {
        guard script != nil, let conductor = courses.first else { return nil }
        let processes = zip(lives, courses.dropFirst())
        return JointCourse(conductor: conductor, processes: Dictionary(processes) { first, _ in first })
    }

    /// What there is to know before the finding is replayed with these builds: courses mean something for one build only.
    public func warnings(for current: [BuildIdentity]) -> [String] {
        guard builds.count == current.count else {
            return ["the finding is of \(builds.count) programs, and these are \(current.count)"]
        }
        return zip(builds, current).compactMap { old, new in
            old == new
                ? nil
                : "the finding is of another build: \(old), and this is \(new); "
                    + "its course may lead elsewhere now, so build the same again, or explore the seed"
        }
    }
}
