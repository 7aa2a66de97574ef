/// A reproducible failure: the programs that ran, their courses, and the ending.
public struct Finding: Hashable, Sendable {
    /// The builds of the programs that took part, in order.
    public let builds: [BuildIdentity]
    /// The parameters of the worlds.
    public let settings: WorldSettings
    /// The script of a finding with several programs; nil for a world of one process.
    public let script: Script?
    /// The courses: exactly one for a world of one process. With a script, the first is the conductor's, and the others
    /// are those of the processes, in the order in which they began.
    public let courses: [Course]
    /// With a script, the processes whose courses follow the conductor's.
    public let lives: [Life]
    /// The failure.
    public let ending: Ending
    /// With a script, a description of the courses for people.
    public let words: [String]

    init(
        builds: [BuildIdentity], settings: WorldSettings, script: Script? = nil, courses: [Course], lives: [Life] = [],
        ending: Ending, words: [String] = []
    ) {
        (self.builds, self.settings, self.script) = (builds, settings, script)
        (self.courses, self.lives, self.ending, self.words) = (courses, lives, ending, words)
    }

    /// Creates a finding from a failed world of the running program.
    public init(_ outcome: Outcome, settings: WorldSettings) throws(BuildIdentityError) {
        self.init(
            builds: [try BuildIdentity.current()], settings: settings, courses: [outcome.followed],
            ending: outcome.ending)
    }

    /// Creates a finding from a failed performance.
    ///
    /// - Parameters:
    ///   - performance: The failed performance.
    ///   - script: The script that was performed.
    ///   - settings: The settings of its world.
    ///   - ending: The failure.
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

    /// The number of decisions that are not dull.
    public var departures: Int { courses.reduce(0) { $0 + $1.departures.count } }

    /// The joint course of a finding with several programs; nil for a world of one process.
    public var jointCourse: JointCourse? {
        guard script != nil, let conductor = courses.first else { return nil }
        let processes = zip(lives, courses.dropFirst())
        return JointCourse(conductor: conductor, processes: Dictionary(processes) { first, _ in first })
    }

    /// Returns warnings about replaying the finding with these builds: a course is meaningful for one build only.
    public func warnings(for current: [BuildIdentity]) -> [String] {
        guard builds.count == current.count else {
            return ["the finding has \(builds.count) programs, but \(current.count) were given"]
        }
        return zip(builds, current).compactMap { old, new in
            old == new
                ? nil
                : "the finding comes from another build: \(old), but this is \(new); "
                    + "its course may no longer lead to the failure, so rebuild that version or explore the seed again"
        }
    }
}
