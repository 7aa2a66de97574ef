/// What became of one process of a performance.
public struct ProcessOutcome: Hashable, Sendable {
    public enum Fate: Hashable, Sendable {
        /// It ended by itself.
        case ended(Ending)
        /// The script or a hazard killed it.
        case killed
        /// It ran when the script was over.
        case running
    }

    public let life: Life
    /// When it started and ended, in the virtual time of the performance.
    public let span: Range<Duration>
    public let fate: Fate
    /// What its world left.
    public let world: Outcome
    /// What it wrote to standard output, up to ``mostOutput``.
    public let output: [UInt8]
    /// What it wrote to standard error, up to ``mostOutput``.
    public let errors: [UInt8]

    /// 16 MiB: a week of a service's log.
    public static let mostOutput = 16 << 20

    /// Its role's name.
    public var name: String { life.name }

    /// True if it ended by itself as a program should not.
    public var isFailure: Bool {
        if case .ended(let ending) = fate { ending.isFailure } else { false }
    }
}
