import Glibc

/// The reason programs cannot be conducted.
public enum ConductorError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The library was compiled with the thread sanitizer.
    case notAvailable
    /// The library that programs preload was not found.
    case noLibrary([String])
    /// A program ended, or was killed, before it reported to the conductor: it was not in a world.
    case neverReported(String, Ending, errors: String)
    /// A program sent a message that the conductor does not understand.
    case notUnderstood(String)
    /// The directory for worlds belongs to another user, or other users can access it.
    case foreignDirectory(String)
    /// A directory could not be cleared or filled: its path, and the reason.
    case directory(String, String)
    /// A program is started while another one runs in its role.
    case isRunning(String, at: Duration)
    /// The director wrote a line that is not a deed.
    case direction(String, at: Duration, reason: String)
    /// A process to be copied has more than one thread.
    case severalThreads
    /// Other programs of the user had used up a resource that a program needed. The text names it and says what to do.
    case crowdedOut(String)
    /// The first error, and the error during the cleanup after it.
    indirect case both(ConductorError, ConductorError)
    /// A system call failed: what was attempted, and the error number.
    case system(String, code: Int32)

    public var description: String {
        switch self {
        case .notAvailable: "\(WorldsError.notAvailable)"
        case .noLibrary(let places):
            "cannot find the library that programs preload, \(Conductor.libraryName), in: "
                + places.joined(separator: ", ") + "; build the product virtualtimepreload, or give its path"
        case .neverReported(let name, let ending, let errors):
            "the program “\(name)” never reported to the conductor (\(ending)): it must exist, be dynamically linked, "
                + "not be set-user-ID, and not be built with the thread sanitizer"
                + (errors.isEmpty ? "" : "; it wrote: \(errors)")
        case .notUnderstood(let name):
            "the program “\(name)” preloads a different version of the library; rebuild both"
        case .foreignDirectory(let path):
            "the directory \(path) must belong to this user and be accessible to nobody else; remove it"
        case .directory(let path, let detail): "cannot clear the directory \(path): \(detail)"
        case .isRunning(let name, let time):
            "“\(name)” is started at \(time), but is already running: kill it first"
        case .direction(let line, let time, let reason):
            "the director's line “\(line)” at \(time): \(reason)"
        case .severalThreads:
            "a copy of a process has only the thread that creates it, but this process has more: "
                + "start no thread before it is copied"
        case .crowdedOut(let text): "the programs could not run: \(text)"
        case .both(let first, let second): "\(first); then, during cleanup: \(second)"
        case .system(let attempt, let code): "cannot \(attempt): \(String(cString: strerror(code)))"
        }
    }
}
