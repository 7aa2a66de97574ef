/// The pairs of consecutive steps that worlds took, and the number of worlds that took each: a measure of whether more
/// seeds would pay.
///
/// The caller defines the pairs: a state and an event, a thread and its successor, a line of a trace and the next line.
public struct Coverage: Hashable, Sendable {
    /// Two steps, the second directly after the first.
    public struct Pair: Hashable, Sendable {
        /// The earlier step.
        public let first: String
        /// The later step.
        public let second: String

        /// Creates a pair from two consecutive steps.
        public init(_ first: String, _ second: String) { (self.first, self.second) = (first, second) }
    }

    /// The most pairs that are kept, a million: several hundred megabytes. Pairs beyond that are counted in
    /// ``dropped``.
    public static let mostPairs = 1_000_000

    /// The number of worlds in which each pair occurred.
    public private(set) var worlds: [Pair: Int] = [:]
    /// The number of worlds added.
    public private(set) var runs = 0
    /// The number of new pairs that were dropped for lack of space; a pair counts each time it occurs.
    public private(set) var dropped = 0

    /// Creates an empty coverage.
    public init() {}

    init(_ worlds: [Pair: Int], runs: Int, dropped: Int) {
        (self.worlds, self.runs, self.dropped) = (worlds, runs, dropped)
    }

    /// Adds the pairs of one world.
    ///
    /// - Returns: The number of pairs that did not occur in any earlier world.
    @discardableResult
    public mutating func add(_ pairs: Set<Pair>) -> Int {
        runs += 1
        var new = 0
        for pair in pairs {
            if let count = worlds[pair] {
                worlds[pair] = count + 1
            } else {
                new += 1
                if worlds.count < Self.mostPairs { worlds[pair] = 1 } else { dropped += 1 }
            }
        }
        return new
    }

    /// Adds one world, given its steps in order.
    ///
    /// - Returns: The number of pairs that did not occur in any earlier world.
    @discardableResult
    public mutating func add(sequence: some Sequence<String>) -> Int {
        let steps = Array(sequence)
        return add(Set(zip(steps, steps.dropFirst()).map { Pair($0, $1) }))
    }

    /// Adds the coverage of other worlds, for example from another machine.
    public mutating func add(_ other: Coverage) {
        runs += other.runs
        dropped += other.dropped
        for (pair, count) in other.worlds {
            if let known = worlds[pair] {
                worlds[pair] = known + count
            } else if worlds.count < Self.mostPairs {
                worlds[pair] = count
            } else {
                dropped += 1
            }
        }
    }

    /// The number of new pairs the next world is expected to bring: the pairs seen in one world only, per world (the
    /// Good–Turing estimate).
    public var expectedNews: Double {
        runs == 0 ? .infinity : Double(worlds.values.count { $0 == 1 } + dropped) / Double(runs)
    }
}

extension Coverage: CustomStringConvertible {
    public var description: String {
        guard runs > 0 else { return "no world was run" }
        let tenths = (expectedNews * 1_000).rounded() / 10
        return "\(worlds.count) pairs in \(runs) worlds; another hundred would bring about \(tenths) new ones"
    }
}
