/// A number of a strategy that is out of its range.
public struct StrategyError: Error, Equatable, Sendable, CustomStringConvertible {
    public enum Parameter: String, Sendable { case depth, steps }

    public let parameter: Parameter
    public let given: Int

    public var allowed: ClosedRange<Int> {
        switch parameter {
        case .depth: Strategy.depths
        case .steps: Strategy.steps
        }
    }

    public var description: String {
        "a strategy of priorities with a \(parameter.rawValue) of \(given): it must be one of "
            + "\(allowed.lowerBound) to \(allowed.upperBound)"
    }
}
