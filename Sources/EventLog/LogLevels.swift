import Synchronization

/// The level of each subsystem, which may change while everybody logs.
public final class LogLevels: Sendable {
    /// Four bits for each subsystem: asked for at every event, so one look has to do.
    private let bits: Atomic<UInt64>
    private static let width: UInt64 = 4

    public init(_ level: LogLevel) {
        bits = Atomic(0)
        set(level)
    }

    public subscript(subsystem: LogSubsystem) -> LogLevel {
        let value = bits.load(ordering: .relaxed) >> Self.shift(subsystem) & 0xF
        return LogLevel(rawValue: Int(value)) ?? .debug
    }

    public var all: [(subsystem: LogSubsystem, level: LogLevel)] { LogSubsystem.allCases.map { ($0, self[$0]) } }

    /// - Parameter subsystem: Nil for all.
    public func set(_ level: LogLevel, for subsystem: LogSubsystem? = nil) {
        for subsystem in subsystem.map({ [$0] }) ?? LogSubsystem.allCases {
            let mask: UInt64 = 0xF << Self.shift(subsystem)
            bits.bitwiseAnd(~mask, ordering: .relaxed)
            bits.bitwiseOr(UInt64(level.rawValue) << Self.shift(subsystem), ordering: .relaxed)
        }
    }

    private static func shift(_ subsystem: LogSubsystem) -> UInt64 {
        UInt64(subsystem.index) * width
    }
}
