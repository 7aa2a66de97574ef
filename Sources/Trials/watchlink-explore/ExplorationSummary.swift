import VirtualTime

/// What came of an exploration, for programs and for ``SummaryText``. Those of several machines are put together into one.
struct ExplorationSummary: Codable, Equatable {
    /// A seed with which something went wrong.
    struct Found: Codable, Equatable {
        let seed: UInt64
        let what: String
        /// The same for two seeds that went wrong in the same way.
        let cause: String
        /// The finding's file beside this summary's, if there is one.
        var file: String?
        /// What the finding's course has of decisions that are not dull.
        var decisions: Int?
        /// That course in words.
        var words: [String]?
    }

    /// Which seeds were to be explored.
    struct Part: Codable, Equatable {
        let first: UInt64
        let last: UInt64
        let shard: Shard
        /// False while it goes on, and if it was ended from outside.
        var isComplete: Bool
    }

    var parts: [Part]
    var runs = 0
    var seconds = 0.0
    var found: [Found] = []
    /// Seeds that were not the same when they ran again.
    var unrepeatable: [UInt64] = []
    /// What programs say must sometimes happen, and in how many seeds it did.
    var sometimes: [String: Int] = [:]
    /// Of all orders in which two things happened one after the other, how many there were, and how many more another hundred seeds would bring.
    var orders = 0
    var expectedNews = 0.0
    /// The same of calls of delegates in states of the ledger, and of places where threads were handed over; files of before do not have them.
    private(set) var calls: CoverageFigure?
    private(set) var handovers: CoverageFigure?
    /// All that was come to. It is in a file of its own.
    private(set) var coverage: ExplorationCoverage?

    private enum CodingKeys: CodingKey {
        case parts, runs, seconds, found, unrepeatable, sometimes, orders, expectedNews, calls, handovers
    }

    /// What should have happened at least once and did not in any seed; nothing while other machines may have seen it.
    var never: [String] { isWhole ? sometimes.filter { $0.value == 0 }.keys.sorted() : [] }
    var isGood: Bool { found.isEmpty && unrepeatable.isEmpty && never.isEmpty }
    private var isWhole: Bool { missing.isEmpty }

    /// The shards that are not there, or did not come to their end, in words.
    var missing: [String] {
        let groups = Dictionary(grouping: parts) { Group(first: $0.first, last: $0.last, count: $0.shard.count) }
        return groups.sorted { ($0.key.first, $0.key.last, $0.key.count) < ($1.key.first, $1.key.last, $1.key.count) }
            .flatMap { group, parts in
                let done = Set(parts.filter(\.isComplete).map(\.shard.number))
                let lacking = (1...group.count).filter { !done.contains($0) }
                return lacking.prefix(Self.mostMissing).map {
                    "shard \($0)/\(group.count) of seeds from \(group.first)"
                }
            }
    }

    /// The shards of one exploration.
    private struct Group: Hashable {
        let first: UInt64
        let last: UInt64
        let count: Int
    }

    /// As many as can be read; there is always more to say of a million.
    private static let mostMissing = 10

    /// Adds what another machine, or another night, found.
    mutating func add(_ other: ExplorationSummary) {
        parts += other.parts
        runs += other.runs
        seconds += other.seconds
        // A seed that several explored is one finding.
        let known = Set(found.map(\.seed))
        found += other.found.filter { !known.contains($0.seed) }
        found.sort { $0.seed < $1.seed }
        unrepeatable = Set(unrepeatable + other.unrepeatable).sorted()
        sometimes.merge(other.sometimes, uniquingKeysWith: +)
        if var coverage, let others = other.coverage {
            coverage.add(others)
            return cover(coverage)
        }
        // What one of them came to is not known.
        coverage = nil
        orders = max(orders, other.orders)
        // Each for itself; all of them together can only have seen more.
        expectedNews = min(expectedNews, other.expectedNews)
        calls = calls.least(with: other.calls)
        handovers = handovers.least(with: other.handovers)
    }

    /// Says what was come to.
    mutating func cover(_ coverage: ExplorationCoverage) {
        self.coverage = coverage
        let figure = CoverageFigure(coverage.orders)
        (orders, expectedNews) = (figure.known, figure.expectedNews)
        (calls, handovers) = (CoverageFigure(coverage.calls), CoverageFigure(coverage.handovers))
    }
}

extension ExplorationSummary {
    /// Adds what came of one seed.
    mutating func add(_ seed: UInt64, _ found: Found?, _ promises: Promises, isRepeatable: Bool) {
        runs += 1
        if let found {
            // The threads come to their ends in any order.
            self.found.append(found)
            self.found.sort { $0.seed < $1.seed }
        }
        if !isRepeatable { unrepeatable = (unrepeatable + [seed]).sorted() }
        for name in promises.declared { sometimes[name, default: 0] += 0 }
        for name in promises.reached { sometimes[name, default: 0] += 1 }
    }
}
