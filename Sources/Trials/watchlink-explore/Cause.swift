/// A cause of failures, with all seeds that failed because of it.
struct Cause {
    let seeds: [UInt64]
    /// The finding with the shortest course among those kept.
    let example: ExplorationSummary.Found

    /// Returns the distinct causes in a summary, ordered by their first seeds, and those of one seed by their texts.
    static func all(of summary: ExplorationSummary) -> [Cause] {
        Dictionary(grouping: summary.found, by: \.cause).values.compactMap { found in
            let example = found.min { ($0.decisions ?? .max, $0.seed) < ($1.decisions ?? .max, $1.seed) }
            return example.map { Cause(seeds: found.map(\.seed).sorted(), example: $0) }
        }.sorted { ($0.seeds.first ?? 0, $0.example.cause) < ($1.seeds.first ?? 0, $1.example.cause) }
    }

    /// The most seeds that can be read at a glance.
    private static let mostNamed = 5

    var seedsText: String {
        guard seeds.count > 1 else { return "seed \(seeds.map { "\($0)" }.joined())" }
        let named = seeds.prefix(Self.mostNamed).map { "\($0)" }.joined(separator: ", ")
        let rest = seeds.count - Self.mostNamed
        return "seeds \(named)" + (rest > 0 ? " and \(rest) more" : "")
    }
}
