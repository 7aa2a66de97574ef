/// The rule by which the seeds of an exploration decide. That of priorities needs to know how long a run is, which is found out by one.
public enum StrategyChoice: Hashable, Sendable {
    /// ``Strategy/random``.
    case random
    /// ``Strategy/priorities(depth:steps:)``.
    case priorities(depth: Int)

    private static let (randomWord, prioritiesWord) = ("random", "pct:")

    /// What ``init(_:)`` takes, in words.
    package static let allowed =
        "\(randomWord), or \(prioritiesWord)N with N from \(Strategy.depths.lowerBound) to \(Strategy.depths.upperBound)"

    /// “random”, or “pct:3” for priorities of depth 3; nil for anything else.
    package init?(_ text: String) {
        if text == Self.randomWord {
            self = .random
        } else if text.hasPrefix(Self.prioritiesWord), let depth = Int(text.dropFirst(Self.prioritiesWord.count)),
            Strategy.depths.contains(depth)
        {
            self = .priorities(depth: depth)
        } else {
            return nil
        }
    }

    /// Runs a script once by chance, with the same seed each time, if the steps must be known.
    package func strategy(by conductor: Conductor, for script: Script) throws(ConductorError) -> Strategy {
        guard case .priorities(let depth) = self else { return .random }
        let performance = try conductor.perform(script, JointCourse(seed: 0))
        let steps = performance.processes.map(\.world.counts.steps).max() ?? 0
        return .priorities(
            depth: depth, steps: min(max(Int(clamping: steps), Strategy.steps.lowerBound), Strategy.steps.upperBound))
    }
}
