import Glibc

/// The exit codes of the programs, as the Linux Standard Base defines them for services.
public enum ExitCode: Int32, Sendable, CaseIterable, CustomStringConvertible {
    /// The program did what was requested.
    case success = 0
    /// The operation was tried and failed.
    case failure = 1
    /// The command line is wrong.
    case usage = 2
    /// The program did what was requested, and found what it looks for.
    case found = 3
    /// The user does not have permission.
    case notAllowed = 4
    /// The configuration is wrong, or it names something that cannot be used.
    case notConfigured = 6
    /// The required service is not running.
    case notRunning = 7
    /// The required service is running but does not answer. One of the codes reserved for applications.
    case notAnswering = 150

    /// Ends the process with this code.
    public func exit() -> Never { Glibc.exit(rawValue) }

    public var description: String {
        switch self {
        case .success: "0 done"
        case .failure: "1 failed"
        case .usage: "2 wrong command line"
        case .found: "3 something was found"
        case .notAllowed: "4 not allowed"
        case .notConfigured: "6 wrong configuration"
        case .notRunning: "7 the service is not running"
        case .notAnswering: "150 the service does not answer"
        }
    }
}
