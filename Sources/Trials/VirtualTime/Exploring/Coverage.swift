/// The pairs of things that worlds did one after the other, and how many worlds did each: it tells if more seeds would pay.
///
/// The pairs are the caller's: a state and an event, a thread and the next one, a line of a trace and the one after it.
public struct Coverage: Hashable, Sendable {
    public struct Pair: Hashable, Sendable {
        public let first: String
        public let second: String

        public init(_ first: String, _ second: String) { (self.first, self.second) = (first, second) }
    }

    /// A million: some hundreds of megabytes. Pairs beyond it are counted and not kept.
    public static let mostPairs = 1_000_000

    /// How many worlds did each pair.
    public private(set) var worlds: [Pair: Int] = [:]
    /// How many worlds were added.
    public private(set) var runs = 0
    /// The pairs that were new when there was no room left; each as often as it came.
    public private(set) var dropped = 0

    public init() {}

    init(_ worlds: [Pair: Int], runs: Int, dropped: Int) {
        (self.worlds, self.runs, self.dropped) = (worlds, runs, dropped)
    }

    /// Adds what one world did.
    ///
    /// - Returns: The number of its pairs that no world before it did.
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

    /// Adds one world, by what it did in order.
    @discardableResult
    public mutating func add(sequence: some Sequence<String>) -> Int {
        let steps = Array(sequence)
        return add(Set(zip(steps, steps.dropFirst()).map { Pair($0, $1) }))
    }

    /// Adds what other worlds did, on another machine, say.
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

    /// How many new pairs the next world is expected to bring: the pairs that only one world did, for each world (the estimate of Good and Turing).
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
