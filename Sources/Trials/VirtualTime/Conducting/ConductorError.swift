import Glibc

/// Why programs cannot be conducted.
public enum ConductorError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The library was compiled with the thread sanitizer.
    case notAvailable
    /// The library that programs preload was not found.
    case noLibrary([String])
    /// A program ended before it had reported to the conductor. It was not in a world.
    case neverReported(String, Ending, errors: String)
    /// A program sent the conductor something that it does not understand.
    case notUnderstood(String)
    /// The directory for worlds belongs to somebody else, or others may use it.
    case foreignDirectory(String)
    case directory(String, String)
    /// The script starts a program whose role is taken.
    case isRunning(String, at: Duration)
    /// The director said something that is no deed.
    case direction(String, at: Duration, reason: String)
    /// A process that is to be copied has more than one thread.
    case severalThreads
    /// Other programs of the user held all there is of something that a program needed. The text says of what, and what to do.
    case crowdedOut(String)
    /// What went wrong first, and what went wrong when that was cleaned up.
    indirect case both(ConductorError, ConductorError)
    /// A system call failed: during what, and its error number.
    case system(String, code: Int32)

    public var description: String {
        switch self {
        case .notAvailable: "\(WorldsError.notAvailable)"
        case .noLibrary(let places):
            "the library that programs preload, \(Conductor.libraryName), is in none of: "
                + places.joined(separator: ", ") + "; build the product virtualtimepreload, or say where it is"
        case .neverReported(let name, let ending, let errors):
            "the program “\(name)” never reported to the conductor (\(ending)): it must exist, be dynamically linked, "
                + "not be set-user-ID, and not be built with the thread sanitizer"
                + (errors.isEmpty ? "" : "; it wrote: \(errors)")
        case .notUnderstood(let name):
            "the program “\(name)” has another version of the library than this one; build both again"
        case .foreignDirectory(let path):
            "the directory \(path) must belong to this user, and be for no one else: remove it"
        case .directory(let path, let detail): "cannot clear the directory \(path): \(detail)"
        case .isRunning(let name, let time):
            "“\(name)” is started at \(time), when it runs already: kill it before"
        case .direction(let line, let time, let reason):
            "the director said “\(line)” at \(time): \(reason)"
        case .severalThreads:
            "a copy of a process has only the thread that makes it, and this one has more: "
                + "nothing may start a thread before"
        case .crowdedOut(let text): "the programs could not run: \(text)"
        case .both(let first, let second): "\(first); and then: \(second)"
        case .system(let attempt, let code): "cannot \(attempt): \(String(cString: strerror(code)))"
        }
    }
}
