import VirtualTime

/// The result of an exploration, for programs and for ``SummaryText``. The results of several machines can be merged.
struct ExplorationSummary: Codable, Equatable {
    /// A failure of a device in a seed.
    struct Found: Codable, Equatable {
        let seed: UInt64
        var what: String
        /// A text that is the same for two seeds that failed in the same way.
        let cause: String
        /// The finding's file, beside the summary's, if there is one.
        var file: String?
        /// The number of decisions in the finding's course that are not dull.
        var decisions: Int?
        /// The number of tries after which the search for a smaller course ended too early; nil if it came to its end.
        var tries: Int?
        /// A description of that course.
        var words: [String]?

        /// The seed and the way in which it failed.
        fileprivate var failure: [String] { ["\(seed)", cause] }
    }

    /// A range of seeds to explore.
    struct Part: Codable, Equatable {
        let first: UInt64
        let last: UInt64
        let shard: Shard
        /// False while the exploration runs, and if it was killed.
        var isComplete: Bool
    }

    var parts: [Part]
    var runs = 0
    var seconds = 0.0
    var found: [Found] = []
    /// Seeds whose second run differed.
    var unrepeatable: [UInt64] = []
    /// The first difference of some of these seeds, by the seed; absent from older files.
    private(set) var partings: [String: String]?
    /// The promises that programs declared, and the number of seeds in which each was reached.
    var sometimes: [String: Int] = [:]
    /// The devices, and the number of seeds in which the session of each was activated; nil for the services, which have none,
    /// and in older files.
    private(set) var sessions: [String: Int]?
    /// Locks that were taken in opposite orders, though nobody waited for ever, by their cause: the first text of each; nil in
    /// older files.
    private(set) var lockOrders: [String: String]?
    /// The hints that sessions gave, by device and hint; nil in older files.
    private(set) var hints: [String: GivenHints.Count]?
    /// The number of distinct pairs of consecutive events, and the number of new ones expected from another hundred
    /// seeds.
    var orders = 0
    var expectedNews = 0.0
    /// True if all orders of delivery were run, each once, and false if some are left; nil for seeds.
    var areAllOrders: Bool?
    /// The same for calls of delegates in states of the ledger, and for hand-overs of threads; absent from older files.
    private(set) var calls: CoverageFigure?
    private(set) var handovers: CoverageFigure?
    /// The complete coverage, which is stored in a separate file.
    private(set) var coverage: ExplorationCoverage?

    private enum CodingKeys: CodingKey {
        case parts, runs, seconds, found, unrepeatable, partings, sometimes, sessions, lockOrders, hints, orders,
            expectedNews,
            areAllOrders, calls,
            handovers
    }

    /// The number of seeds with a finding; each device of a seed can have one.
    var failed: Int { Set(found.map(\.seed)).count }

    /// The promises that no seed reached; empty while shards are missing, which may have reached them.
    var never: [String] { isWhole ? sometimes.filter { $0.value == 0 }.keys.sorted() : [] }
    /// The devices that never activated a session: an exploration of the wrong program finds nothing.
    var inactive: [String] { sessions.map { $0.filter { $0.value == 0 }.keys.sorted() } ?? [] }
    var isGood: Bool { found.isEmpty && unrepeatable.isEmpty && never.isEmpty }
    private var isWhole: Bool { missing.isEmpty }

    /// Descriptions of the shards that are missing or incomplete.
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

    /// The most missing shards to list.
    private static let mostMissing = 10

    /// Adds the result of another machine, or of another night.
    mutating func add(_ other: ExplorationSummary) {
        parts += other.parts
        runs += other.runs
        seconds += other.seconds
        // A seed that failed several times in one way counts as one finding; with other programs it can fail in another.
        let known = Set(found.map(\.failure))
        found += other.found.filter { !known.contains($0.failure) }
        found.sort { ($0.seed, $0.cause) < ($1.seed, $1.cause) }
        unrepeatable = Set(unrepeatable + other.unrepeatable).sorted()
        if let others = other.partings { partings = others.merging(partings ?? [:]) { $1 } }
        sometimes.merge(other.sometimes, uniquingKeysWith: +)
        if let others = other.lockOrders { lockOrders = (lockOrders ?? [:]).merging(others) { own, _ in own } }
        if let others = other.hints { hints = (hints ?? [:]).merging(others) { $0.merged(with: $1) } }
        if let others = other.sessions { sessions = (sessions ?? [:]).merging(others, uniquingKeysWith: +) }
        if var coverage, let others = other.coverage {
            coverage.add(others)
            return cover(coverage)
        }
        // The coverage of one of them is unknown.
        coverage = nil
        orders = max(orders, other.orders)
        // Figures of each alone; together they can only have covered more.
        expectedNews = min(expectedNews, other.expectedNews)
        calls = calls.least(with: other.calls)
        handovers = handovers.least(with: other.handovers)
    }

    /// Sets the coverage and the figures derived from it.
    mutating func cover(_ coverage: ExplorationCoverage) {
        self.coverage = coverage
        let figure = CoverageFigure(coverage.orders)
        (orders, expectedNews) = (figure.known, figure.expectedNews)
        (calls, handovers) = (CoverageFigure(coverage.calls), CoverageFigure(coverage.handovers))
    }
}

extension ExplorationSummary {
    /// Returns true for orders of locks that no seed before had.
    func isNew(_ orders: LockOrders) -> Bool { lockOrders?[orders.cause] == nil }

    /// Adds orders of locks that no seed before had.
    mutating func add(_ orders: LockOrders, text: String) {
        lockOrders = (lockOrders ?? [:]).merging([orders.cause: text]) { own, _ in own }
    }

    /// Adds the hints of one seed.
    mutating func add(_ given: GivenHints, of seed: UInt64) {
        let counts = given.advice.mapValues { GivenHints.Count(seeds: 1, firstSeed: seed, advice: $0) }
        hints = (hints ?? [:]).merging(counts) { $0.merged(with: $1) }
    }

    /// Adds the result of one seed.
    ///
    /// - Parameter parting: The first difference of a second run, if it differed.
    mutating func add(
        _ seed: UInt64, _ found: [Found], _ promises: Promises, _ activated: ActivatedSessions? = nil, parting: String?
    ) {
        runs += 1
        // The threads finish in any order.
        self.found += found
        self.found.sort { ($0.seed, $0.cause) < ($1.seed, $1.cause) }
        if let parting {
            unrepeatable = (unrepeatable + [seed]).sorted()
            partings = (partings ?? [:]).merging(["\(seed)": parting]) { $1 }
        }
        for name in activated?.devices ?? [] {
            let isActivated = activated?.activated.contains(name) == true
            sessions = (sessions ?? [:]).merging([name: isActivated ? 1 : 0], uniquingKeysWith: +)
        }
        for name in promises.declared { sometimes[name, default: 0] += 0 }
        for name in promises.reached { sometimes[name, default: 0] += 1 }
    }
}
