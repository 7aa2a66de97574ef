/// The rule by which the seed decides.
public enum Strategy: Hashable, Sendable {
    /// Each possibility is as likely as the others.
    case random
    /// Probabilistic concurrency testing: each thread has a random priority, the highest runs, and at `depth - 1` random ones of the first
    /// `steps` places where a thread may be interrupted the running one falls below all others.
    ///
    /// A mistake that needs `depth` orderings among n threads is found by one run with a probability of at least
    /// 1 / (n × steps^(depth − 1)), however improbable it is by chance. ``Counts/steps`` says how many a run has.
    case priorities(depth: Int, steps: Int)

    /// 16: mistakes that need more orderings than four are hardly known.
    public static let depths = 1...16
    /// 2³²: at some nanoseconds each, hours of one world.
    public static let steps = 1...(1 << 32)

    /// - Throws: ``StrategyError`` if a number is not one of those allowed.
    public func validated() throws(StrategyError) -> Strategy {
        if case .priorities(let depth, let steps) = self {
            guard Self.depths.contains(depth) else { throw StrategyError(parameter: .depth, given: depth) }
            guard Self.steps.contains(steps) else { throw StrategyError(parameter: .steps, given: steps) }
        }
        return self
    }
}

extension Strategy: CustomStringConvertible {
    public var description: String {
        switch self {
        case .random: "random"
        case .priorities(let depth, let steps): "priorities of depth \(depth) over \(steps) steps"
        }
    }
}
