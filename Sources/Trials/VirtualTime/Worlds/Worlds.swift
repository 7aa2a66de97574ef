import CVirtualTime
import Foundation

/// Worlds of one program: each is a process in which time is virtual, and a course decides all orders.
///
/// Worlds begin as copies of the process that makes this, with the same memory. So make it first thing in `main`, before anything starts a
/// thread.
///
/// ```swift
/// let worlds = try Worlds(jobs: 2) {
///     Task {
///         try await Task.sleep(for: .seconds(3_600))
///         World.finish()
///     }
/// }
/// let outcome = try worlds.run(Course(seed: 1))
/// ```
public final class Worlds {
    /// 256: more processors than most machines have.
    public static let jobs = 1...256
    /// 60 s: a world takes milliseconds to some seconds.
    public static let usualLimit: Duration = .seconds(60)

    public var settings: WorldSettings
    /// The real time after which a world is killed.
    public var limit: Duration

    private let templates: [Template]

    /// Makes this process the owner of worlds.
    ///
    /// - Parameters:
    ///   - settings: The nature of the worlds.
    ///   - limit: The real time after which a world is killed.
    ///   - jobs: How many worlds may run at a time.
    ///   - body: What happens in each world. It is called on the main thread, whose run loop then runs until the world ends:
    ///     by ``World/finish()``, ``World/fail(_:)``, `exit`, or one of the other ``Ending``s.
    public init(
        settings: WorldSettings = WorldSettings(), limit: Duration = Worlds.usualLimit, jobs: Int = 1, body: () -> Void
    ) throws(WorldsError) {
        guard World.isAvailable else { throw .notAvailable }
        guard Self.jobs.contains(jobs) else { throw .jobs(jobs) }
        guard try Self.countThreads() == 1 else { throw .severalThreads }
        (self.settings, self.limit) = (settings, limit)
        virtual_time_fix_addresses(CommandLine.unsafeArgv)
        var templates: [Template] = []
        templates.reserveCapacity(jobs)
        for _ in 0..<jobs {
            guard let handle = virtual_time_template_open() else {
                let code = errno
                if World.isOn { Self.live(body) }
                throw .system("fork a template of worlds", code: code)
            }
            templates.append(Template(handle))
        }
        self.templates = templates
    }

    /// A copy of a process has only the thread that made it; what others held locked would stay so.
    private static func countThreads() throws(WorldsError) -> Int {
        let directory = "/proc/self/task"
        do {
            return try FileManager.default.contentsOfDirectory(atPath: directory).count
        } catch {
            throw .threads(directory, error.localizedDescription)
        }
    }

    private static func live(_ body: () -> Void) -> Never {
        body()
        // It returns when nothing is left in it that could happen, as does a run loop without sources; the main queue goes on.
        RunLoop.main.run()
        dispatchMain()
    }

    /// Runs one world.
    public func run(_ course: Course) throws(WorldsError) -> Outcome {
        try templates[0].run(course, settings, limit: limit)
    }

    /// Runs many worlds, as many at a time as there are jobs.
    ///
    /// - Parameters:
    ///   - courses: Taken one by one when a job is free.
    ///   - each: Called for each outcome as it comes, by the caller's thread. It returns false to take no further courses; what still runs is then
    ///     left out.
    public func run(_ courses: some Sequence<Course>, each: (Outcome) throws -> Bool) throws {
        let jobs = Jobs(templates, settings, limit: limit)
        var courses = courses.makeIterator()
        var running = 0
        defer {
            // Then the templates are free for what comes next.
            while running > 0 {
                _ = jobs.next()
                running -= 1
            }
            jobs.end()
        }
        while true {
            while running < templates.count, let course = courses.next() {
                jobs.add(course)
                running += 1
            }
            guard running > 0 else { return }
            let result = jobs.next()
            running -= 1
            guard try each(result.get()) else { return }
        }
    }

    /// Runs a world twice and compares.
    ///
    /// - Returns: The first run, and what was different the second time: nil if all is decided by the course, as it should be.
    public func check(_ course: Course) throws(WorldsError) -> (Outcome, Outcome.Difference?) {
        let first = try run(course)
        return (first, first.difference(from: try run(course)))
    }

    /// Makes the course of a failed world small.
    ///
    /// - Returns: Nil if the failure does not come again.
    public func shrink(_ outcome: Outcome, with shrinker: Shrinker = Shrinker()) throws(WorldsError) -> Shrunk? {
        let cause = outcome.ending.cause
        return try shrinker.shrink(outcome.followed) { course throws(WorldsError) in
            let again = try run(course)
            let fails = again.ending.isFailure && again.ending.cause == cause
            return Shrinker.Trial(decisions: again.decisions, fails: fails)
        }
    }
}
