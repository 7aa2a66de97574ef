/// The rule by which the seeds of an exploration decide. Priorities need the length of a run, which one trial run finds
/// out.
public enum StrategyChoice: Hashable, Sendable {
    /// ``Strategy/random``.
    case random
    /// ``Strategy/priorities(depth:steps:)``.
    case priorities(depth: Int)
    /// All orders in which packages can be delivered, each once, and nothing else: an exploration of few packages that
    /// ends by itself.
    case orders

    private static let (randomWord, prioritiesWord, ordersWord) = ("random", "pct:", "orders")

    /// The texts that ``init(_:)`` accepts, for error messages.
    package static let allowed =
        "\(randomWord), \(prioritiesWord)N with N from "
        + "\(Strategy.depths.lowerBound) to \(Strategy.depths.upperBound), or \(ordersWord)"

    /// Parses “random”, “pct:3” for priorities of depth 3, or “orders”; nil for anything else.
    package init?(_ text: String) {
        if text == Self.randomWord {
            self = .random
        } else if text == Self.ordersWord {
            self = .orders
        } else if text.hasPrefix(Self.prioritiesWord), let depth = Int(text.dropFirst(Self.prioritiesWord.count)),
            Strategy.depths.contains(depth)
        {
            self = .priorities(depth: depth)
        } else {
            return nil
        }
    }

    /// Returns the strategy. If it needs the number of steps, this runs the script once with random decisions, always
    /// from the same seed.
    package func strategy(by conductor: Conductor, for script: Script) throws(ConductorError) -> Strategy {
        guard case .priorities(let depth) = self else { return .random }
        let performance = try conductor.perform(script, JointCourse(seed: 0))
        let steps = performance.processes.map(\.world.counts.steps).max() ?? 0
        return .priorities(
            depth: depth, steps: min(max(Int(clamping: steps), Strategy.steps.lowerBound), Strategy.steps.upperBound))
    }
}
