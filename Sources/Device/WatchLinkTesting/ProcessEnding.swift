import Processes

/// The way in which a process ended.
public enum ProcessEnding: Equatable, Sendable {
    /// The process exited with this code.
    case exit(Int32)
    /// A signal ended the process: a trap is SIGILL or SIGTRAP, `kill -9` is SIGKILL.
    case signal(Int32)
}

extension ProcessEnding {
    /// Creates the ending of a process; nil while it runs.
    init?(of process: BackgroundProcess) {
        guard let (reason, number) = process.termination else { return nil }
        self = reason == .exit ? .exit(number) : .signal(number)
    }
}
