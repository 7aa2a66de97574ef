import CVirtualTime
import Foundation

/// The worlds of one program: processes in which time is virtual and a course decides every order.
///
/// Worlds begin as copies of the process that creates this object, with the same memory. Create it first thing in
/// `main`, before anything starts a thread.
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
    /// The allowed numbers of jobs; 256 exceeds the processors of most machines.
    public static let jobs = 1...256
    /// The default limit, 60 s: a world takes milliseconds to a few seconds.
    public static let usualLimit: Duration = .seconds(60)

    /// The parameters of the worlds.
    public var settings: WorldSettings
    /// The real time after which a world is killed.
    public var limit: Duration

    private let templates: [Template]

    /// Makes this process the owner of worlds.
    ///
    /// - Parameters:
    ///   - settings: The parameters of the worlds.
    ///   - limit: The real time after which a world is killed.
    ///   - jobs: The number of worlds that can run at a time.
    ///   - body: The code to run in each world. It is called on the main thread, whose run loop then runs until the
    ///     world
    ///     ends: by ``World/finish()``, ``World/fail(_:)``, `exit`, or one of the other ``Ending``s.
    /// - Throws: ``WorldsError`` if the process cannot be copied: for example, if it has several threads.
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

    /// A forked process has only the thread that called `fork`; locks held by other threads would stay locked.
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
        // A run loop without sources returns; the main queue must keep running.
        RunLoop.main.run()
        dispatchMain()
    }

    /// Runs one world and returns its outcome.
    public func run(_ course: Course) throws(WorldsError) -> Outcome {
        try templates[0].run(course, settings, limit: limit)
    }

    /// Runs many worlds, up to the number of jobs at a time.
    ///
    /// - Parameters:
    ///   - courses: The courses. One is taken whenever a job is free.
    ///   - each: A closure called on the caller's thread for each outcome as it arrives. It returns false to stop;
    ///     worlds still running are then discarded.
    public func run(_ courses: some Sequence<Course>, each: (Outcome) throws -> Bool) throws {
        let jobs = Jobs(templates, settings, limit: limit)
        var courses = courses.makeIterator()
        var running = 0
        defer {
            // Afterwards the templates are free for the next call.
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

    /// Runs a course twice and compares the outcomes.
    ///
    /// - Returns: The first outcome, and the first difference in the second; nil if the course decides everything, as
    ///   it should.
    public func check(_ course: Course) throws(WorldsError) -> (Outcome, Outcome.Difference?) {
        let first = try run(course)
        return (first, first.difference(from: try run(course)))
    }

    /// Makes the course of a failed world small.
    ///
    /// - Returns: Nil if the failure cannot be reproduced.
    public func shrink(_ outcome: Outcome, with shrinker: Shrinker = Shrinker()) throws(WorldsError) -> Shrunk? {
        let cause = outcome.ending.cause
        return try shrinker.shrink(outcome.followed) { course throws(WorldsError) in
            let again = try run(course)
            let fails = again.ending.isFailure && again.ending.cause == cause
            return Shrinker.Trial(decisions: again.decisions, fails: fails)
        }
    }
}
