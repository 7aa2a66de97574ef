import CVirtualTime
import Foundation

/// A conductor runs several programs in one virtual time without rebuilding them: each preloads a library and becomes a
/// separate world.
///
/// One program runs at a time, until it is idle. When all are idle, the time jumps to the earliest instant at which one
/// of them, or the script, has something to do. The seed decides which program runs first when several can, and
/// everything within each.
public struct Conductor: Sendable {
    /// The file name of the library that programs preload.
    public static let libraryName = "libvirtualtimepreload.so"
    /// The default limit, 60 s: programs are usually idle again after milliseconds.
    public static let usualLimit: Duration = .seconds(60)
    /// The default directory, on a file system in memory.
    public static let usualDirectory = "/dev/shm"

    /// The origin of the processes of a performance.
    enum Origin: Sendable {
        /// Executables that preload the library at this path.
        case executables(library: String, LoadedPrograms)
        /// Copies of one process.
        case template(ProcessTemplate)
    }

    let origin: Origin
    /// The parameters of the worlds.
    public var settings = WorldSettings()
    /// The real time after which a program that is not idle is killed.
    public var limit = Self.usualLimit
    /// The most turns that programs are given; a performance ends with the last one, as at the end of its script.
    package var mostTurns = Int.max
    /// True to note when a program says that something is wrong: ``ProcessOutcome/complaints``. Its standard error is then read after
    /// each of its turns.
    package var notesComplaints = false
    /// The decision at which a process waits for a debugger. ``limit`` must then be long enough for a person.
    public var breakpoint: Breakpoint?
    /// The directory in which each performance creates its own directory, and removes it afterwards.
    public var directory = Self.usualDirectory
    /// The prefix of that directory's name. Performances with the same seed and prefix wait for each other.
    package var room = ""
    /// The directory of a performance that is moved to a place of its own at the end, rather than removed.
    package var kept: KeptDirectory?

    /// Creates a conductor of executables.
    ///
    /// - Parameter library: The library's path; nil looks where it is built and installed: in the directory of this
    ///   program's executable, and in the directory `lib` beside that.
    /// - Throws: ``ConductorError/noLibrary(_:)`` if the library is not found.
    public init(library: String? = nil) throws(ConductorError) {
        let places = library.map { [$0] } ?? Self.usualPlaces
        guard let found = places.first(where: { FileManager.default.isReadableFile(atPath: $0) }) else {
            throw .noLibrary(places)
        }
        origin = .executables(library: found, LoadedPrograms())
    }

    /// Creates a conductor of copies of a process. Of each program only the name and the environment take effect; the
    /// executable and the arguments appear in findings.
    package init(template: ProcessTemplate) { origin = .template(template) }

    private static var usualPlaces: [String] {
        let executable = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
        let directory = executable.deletingLastPathComponent()
        return [directory, directory.deletingLastPathComponent().appendingPathComponent("lib")].map {
            $0.appendingPathComponent(libraryName).path
        }
    }

    /// Runs the programs of a script.
    public func perform(_ script: Script, _ course: JointCourse) throws(ConductorError) -> Performance {
        guard World.isAvailable else { throw .notAvailable }
        let result = Handover<Result<Performance, ConductorError>>()
        // A separate thread, because it is pinned to one processor, like the programs that it starts: handing over the
        // turn is then several times as fast. Two performances on one processor while another has none would take twice as
        // long.
        Thread.detachNewThread {
            let processor = virtual_time_take_processor()
            defer { virtual_time_give_processor_back(processor) }
            do throws(ConductorError) {
                result.give(.success(try performHere(script, course)))
            } catch {
                result.give(.failure(error))
            }
        }
        return try result.take().get()
    }

    private func performHere(_ script: Script, _ course: JointCourse) throws(ConductorError) -> Performance {
        let directory = try WorldDirectory.take(base: directory, room: room, seed: course.seed)
        let stage = Stage(self, script, course, directory: directory.path)
        let performance: Performance
        do throws(ConductorError) {
            performance = try stage.perform()
            try kept?.move(from: directory.path)
        } catch {
            let first = error
            stage.clear()
            do throws(ConductorError) { try directory.remove() } catch { throw .both(first, error) }
            throw first
        }
        try directory.remove()
        return performance
    }

    /// Runs the script twice and compares the performances.
    ///
    /// - Returns: The first performance, and true if the second was identical to the last byte, as it should be.
    public func check(
        _ script: Script, _ course: JointCourse
    ) throws(ConductorError) -> (performance: Performance, isRepeatable: Bool) {
        let first = try perform(script, course)
        return (first, try perform(script, course) == first)
    }
}
