import Glibc

/// Why worlds cannot be made or run.
public enum WorldsError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The library was compiled with the thread sanitizer.
    case notAvailable
    /// Worlds were asked for after the process had started a thread.
    case severalThreads
    /// The process's threads could not be counted: where they are listed, and why not.
    case threads(String, String)
    case jobs(Int)
    /// Other programs of the user held all there is of something that the world needed. The text says of what, and what to do.
    case crowdedOut(String)
    /// A system call failed: during what, and its error number.
    case system(String, code: Int32)

    public var description: String {
        switch self {
        case .notAvailable:
            "worlds are not available with the thread sanitizer: it stands before the same functions; build without it"
        case .severalThreads:
            "worlds begin as copies of a process with one thread, and this one has more: "
                + "make them first thing in main, before anything starts a thread"
        case .threads(let directory, let detail):
            "cannot count the threads of this process in \(directory): \(detail); is /proc mounted?"
        case .jobs(let given):
            "\(given) jobs: it must be one of \(Worlds.jobs.lowerBound) to \(Worlds.jobs.upperBound)"
        case .crowdedOut(let text): "the world could not run: \(text)"
        case .system(let attempt, let code):
            "cannot \(attempt): \(String(cString: strerror(code)))"
        }
    }
}
