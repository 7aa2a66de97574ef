/// Draws faults from places, the same for the same seed on any machine.
struct Draw {
    private var generator: Generator

    init(seed: UInt64) { generator = Generator(state: seed) }

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

    /// SplitMix64.
    private struct Generator: RandomNumberGenerator {
        var state: UInt64

        mutating func next() -> UInt64 {
            state &+= 0x9E37_79B9_7F4A_7C15
            var mixed = state
            mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
            mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
            return mixed ^ (mixed >> 31)
        }
    }
}
