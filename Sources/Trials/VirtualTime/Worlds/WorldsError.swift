import Glibc

/// The reason worlds cannot be created or run.
public enum WorldsError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The library was compiled with the thread sanitizer.
    case notAvailable
    /// Worlds were requested after the process had started a thread.
    case severalThreads
    /// The process's threads could not be counted: the directory that lists them, and the reason.
    case threads(String, String)
    /// The number of jobs is out of range.
    case jobs(Int)
    /// Other programs of the user had used up a resource that the world needed. The text names it and says what to do.
    case crowdedOut(String)
    /// A system call failed: what was attempted, and the error number.
    case system(String, code: Int32)

    public var description: String {
        switch self {
        case .notAvailable:
            "worlds are not available with the thread sanitizer, which replaces the same functions: build without it"
        case .severalThreads:
            "worlds begin as copies of a process with one thread, and this one has more: "
                + "create them first thing in main, before anything starts a thread"
        case .threads(let directory, let detail):
            "cannot count the threads of this process in \(directory): \(detail); is /proc mounted?"
        case .jobs(let given):
            "jobs: \(given) is out of range; use \(Worlds.jobs.lowerBound) to \(Worlds.jobs.upperBound)"
        case .crowdedOut(let text): "the world could not run: \(text)"
        case .system(let attempt, let code):
            "cannot \(attempt): \(String(cString: strerror(code)))"
        }
    }
}
