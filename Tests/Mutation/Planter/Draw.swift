/// Draws faults from places, the same for the same seed on any machine.
struct Draw {
    private var generator: SeededGenerator

    init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

    /// Draws places whose texts do not overlap, in turn from each kind, so that rare kinds are tried, too.
    mutating func faults(_ count: Int, from sites: [Site]) -> [Fault] {
        var rest = Dictionary(grouping: sites.shuffled(using: &generator), by: \.kind)
        var taken: [String: [Range<Int>]] = [:]
        var drawn: [Site] = []
        while drawn.count < count, rest.values.contains(where: { !$0.isEmpty }) {
            for kind in FaultKind.allCases where drawn.count < count {
                while let site = rest[kind]?.popLast() {
                    if taken[site.path, default: []].contains(where: { $0.overlaps(site.bytes) }) { continue }
                    taken[site.path, default: []].append(site.bytes)
                    drawn.append(site)
                    break
                }
            }
        }
        return drawn.sorted { ($0.path, $0.bytes.lowerBound) < ($1.path, $1.bytes.lowerBound) }.enumerated()
            .map { Fault(number: $0.offset + 1, site: $0.element) }
    }

    mutating func shuffled(_ faults: [Fault]) -> [Fault] { faults.shuffled(using: &generator) }
}
