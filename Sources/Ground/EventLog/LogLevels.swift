import Synchronization

/// The minimum level of each subsystem, which may change while other threads log.
public final class LogLevels: Sendable {
    /// Four bits for each subsystem, so that the check at every event is a single load.
    private let bits: Atomic<UInt64>
    private static let width: UInt64 = 4

    /// Creates levels that are the same for all subsystems.
    public init(_ level: LogLevel) { bits = Atomic(Self.everywhere(level)) }

    /// The level up to which a subsystem's events are logged.
    public subscript(subsystem: LogSubsystem) -> LogLevel {
        let value = bits.load(ordering: .relaxed) >> Self.shift(subsystem) & 0xF
        return LogLevel(rawValue: Int(value)) ?? .debug
    }

    /// Sets the level of one subsystem, or of all of them.
    ///
    /// - Parameter subsystem: Nil for all subsystems.
    public func set(_ level: LogLevel, for subsystem: LogSubsystem? = nil) {
        guard let subsystem else { return bits.store(Self.everywhere(level), ordering: .relaxed) }
        let mask: UInt64 = 0xF << Self.shift(subsystem)
        bits.bitwiseAnd(~mask, ordering: .relaxed)
        bits.bitwiseOr(UInt64(level.rawValue) << Self.shift(subsystem), ordering: .relaxed)
    }

    private static func everywhere(_ level: LogLevel) -> UInt64 {
        (0..<UInt64(LogSubsystem.most)).reduce(0) { $0 | UInt64(level.rawValue) << ($1 * width) }
    }

    private static func shift(_ subsystem: LogSubsystem) -> UInt64 { UInt64(subsystem.place) * width }
}
