/// How a process ended.
public enum ProcessEnding: Equatable, Sendable {
    /// It ended itself, with this code.
    case exit(Int32)
    /// A signal ended it: a trap is SIGILL or SIGTRAP, `kill -9` is SIGKILL.
    case signal(Int32)
}
