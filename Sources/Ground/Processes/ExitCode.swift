import Glibc

/// How the programs end: the codes of the Linux Standard Base for services.
public enum ExitCode: Int32, Sendable, CaseIterable, CustomStringConvertible {
    case success = 0
    /// It was tried and did not work.
    case failure = 1
    /// The command line is wrong.
    case usage = 2
    /// Whoever asks may not.
    case notAllowed = 4
    /// The configuration is wrong, or something it names cannot be used.
    case notConfigured = 6
    /// The service that is needed does not run.
    case notRunning = 7
    /// The service that is needed runs and says nothing. Of the codes that are left to applications.
    case notAnswering = 150

    public func exit() -> Never { Glibc.exit(rawValue) }

    public var description: String {
        switch self {
        case .success: "0 done"
        case .failure: "1 failed"
        case .usage: "2 wrong command line"
        case .notAllowed: "4 not allowed"
        case .notConfigured: "6 wrong configuration"
        case .notRunning: "7 the service does not run"
        case .notAnswering: "150 the service does not answer"
        }
    }
}
