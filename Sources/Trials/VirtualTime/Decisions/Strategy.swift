/// The rule by which the seed decides.
public enum Strategy: Hashable, Sendable {
    /// All possibilities are equally likely.
    case random
    /// Probabilistic concurrency testing: each thread has a random priority, and the highest priority runs. At `depth -
    /// 1` random points among the first `steps` points of possible interruption, the running thread drops below all
    /// others.
    ///
    /// One run finds a bug that needs `depth` orderings among n threads with a probability of at least 1 / (n ×
    /// steps^(depth − 1)), however unlikely it is under random scheduling. ``Counts/steps`` is the number of steps in a
    /// run.
    case priorities(depth: Int, steps: Int)

    /// The allowed depths; few known bugs need more than four orderings.
    public static let depths = 1...16
    /// The allowed numbers of steps; 2³² steps of a few nanoseconds each take hours in one world.
    public static let steps = 1...(1 << 32)

    /// Returns this strategy if its numbers are in range.
    ///
    /// - Throws: ``StrategyError`` if a number is out of range.
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
