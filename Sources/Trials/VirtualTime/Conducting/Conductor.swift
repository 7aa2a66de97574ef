import CVirtualTime
import Foundation

/// Runs several programs in one virtual time, without building them anew: each preloads a library, and is a world of its own.
///
/// One program goes on at a time, until it is idle. When all are, the time jumps to the earliest instant at which one of them, or the script, has
/// something to do. A seed decides which program goes first where several can, and everything within each.
public struct Conductor: Sendable {
    public static let libraryName = "libvirtualtimepreload.so"
    /// 60 s: a program is idle again after milliseconds.
    public static let usualLimit: Duration = .seconds(60)
    /// A file system in memory on each Linux.
    public static let usualDirectory = "/dev/shm"

    /// Where the processes of a performance come from.
    enum Origin: Sendable {
        /// Executables that preload a library, which has this path.
        case executables(library: String)
        /// Each is a copy of one process.
        case template(ProcessTemplate)

        var template: ProcessTemplate? {
            if case .template(let template) = self { template } else { nil }
        }
    }

    let origin: Origin
    public var settings = WorldSettings()
    /// The real time that a program may take until it is idle; then it is killed.
    public var limit = Self.usualLimit
    /// A place at which a process waits for a debugger. ``limit`` must then leave a person the time for it.
    public var breakpoint: Breakpoint?
    /// The directory in which each performance gets one, which is removed afterwards.
    public var directory = Self.usualDirectory
    /// The beginning of that directory's name. Two performances of one seed wait for each other if it is the same.
    package var room = ""

    /// - Parameter library: The library's path; left out, it is looked for where it is built and installed: beside this program's executable,
    ///   and in the directory `lib` beside the executable's.
    public init(library: String? = nil) throws(ConductorError) {
        let places = library.map { [$0] } ?? Self.usualPlaces
        guard let found = places.first(where: { FileManager.default.isReadableFile(atPath: $0) }) else {
            throw .noLibrary(places)
        }
        origin = .executables(library: found)
    }

    /// Programs are copies of a process. Of theirs only the names and the environments count; executables and arguments are what a finding says
    /// of them.
    package init(template: ProcessTemplate) { origin = .template(template) }

    private static var usualPlaces: [String] {
        let executable = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
        let directory = executable.deletingLastPathComponent()
        return [directory, directory.deletingLastPathComponent().appendingPathComponent("lib")].map {
            $0.appendingPathComponent(libraryName).path
        }
    }

    /// Runs the script's programs.
    public func perform(_ script: Script, _ course: JointCourse) throws(ConductorError) -> Performance {
        guard World.isAvailable else { throw .notAvailable }
        let result = Handover<Result<Performance, ConductorError>>()
        // A thread of its own, since it keeps to one processor, as do the programs that it starts: the turn then goes from one to the next some
        // times as fast.
        Thread.detachNewThread {
            virtual_time_pin()
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
        } catch {
            let first = error
            stage.clear()
            do throws(ConductorError) { try directory.remove() } catch { throw .both(first, error) }
            throw first
        }
        try directory.remove()
        return performance
    }

    /// Runs the script twice and compares.
    ///
    /// - Returns: The first performance, and true if the second was the same to the last byte, as it should be.
    public func check(
        _ script: Script, _ course: JointCourse
    ) throws(ConductorError) -> (performance: Performance, isRepeatable: Bool) {
        let first = try perform(script, course)
        return (first, try perform(script, course) == first)
    }
}
