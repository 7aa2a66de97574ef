/// The error for a strategy with a number out of range.
public struct StrategyError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The parameters of ``Strategy/priorities(depth:steps:)``.
    public enum Parameter: String, Sendable {
        /// The number of changes of priority.
        case depth
        /// The number of steps among which they are chosen.
        case steps
    }

    /// The parameter that is out of range.
    public let parameter: Parameter
    /// The number given.
    public let given: Int

    /// The numbers allowed.
    public var allowed: ClosedRange<Int> {
        switch parameter {
        case .depth: Strategy.depths
        case .steps: Strategy.steps
        }
    }

    public var description: String {
        "priorities: \(parameter.rawValue) \(given) is out of range; use "
            + "\(allowed.lowerBound) to \(allowed.upperBound)"
    }
}
