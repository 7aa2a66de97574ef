import Cassettes

/// The deeds of the same moments, as those of several tasks that race: their order says nothing of which belongs to which.
struct Burst {
    /// The most deeds at one moment that are sorted. 64: more are a flood.
    private static let most = 64
    /// The greatest number of deeds between two that change partners. 16: they are sorted already.
    private static let reach = 16

    private let old: [AppEvent]
    private let new: [AppEvent]
    private let cost: (Int, Int) -> Int

    /// - Parameter cost: The difference of an old and a new one, by their positions; 0 for equal ones.
    init(_ old: [AppEvent], _ new: [AppEvent], cost: @escaping (Int, Int) -> Int) {
        (self.old, self.new, self.cost) = (old, new, cost)
    }

    /// Returns the likeliest pairs of positions, in the order of the old ones: those of the alignment as it stands, or of one in which
    /// the deeds of each moment are sorted by what they are.
    var pairs: [(old: Int, new: Int)] {
        let plain = Alignment(old.count, new.count, cost: cost).pairs
        let leastCost = total(plain)
        guard leastCost > 0 else { return plain }
        let shown = shownKeys
        let (places, newPlaces) = (Self.sorted(old, shown), Self.sorted(new, shown))
        let sorted = Alignment(old.count, new.count) { cost(places[$0], newPlaces[$1]) }.pairs
        let candidates = [plain, sorted.map { (places[$0.old], newPlaces[$0.new]) }].map { untangled(withLeftOver($0)) }
        // Of equal ones, the first.
        return candidates.min { total($0) < total($1) } ?? plain
    }

    private func total(_ pairs: [(old: Int, new: Int)]) -> Int {
        pairs.reduce(Alignment.gap * (old.count + new.count - 2 * pairs.count)) { $0 + cost($1.old, $1.new) }
    }

    // MARK: - Sorting

    /// Returns the keys whose texts are shown in all old ones.
    private var shownKeys: Set<String> {
        var (shown, hidden) = (Set<String>(), Set<String>())
        for (key, value) in old.flatMap({ $0.content.map(Self.entries) ?? [:] }) {
            guard case .leaf(let leaf) = Shape(value), leaf.type == "string" else { continue }
            if leaf.value == nil { hidden.insert(key) } else { shown.insert(key) }
        }
        return shown.subtracting(hidden)
    }

    private static func entries(_ content: RedactedValue) -> [String: RedactedValue] {
        guard case .keys(let entries, _) = Shape(content) else { return [:] }
        return entries
    }

    /// Returns the positions with those of each moment sorted by their keys and the texts that are shown.
    private static func sorted(_ events: [AppEvent], _ shown: Set<String>) -> [Int] {
        var positions: [Int] = []
        var moment: [Int] = []
        func close() {
            guard (2...most).contains(moment.count) else { return positions += moment }
            let words = moment.map { position in
                (events[position].content.map(entries) ?? [:]).sorted { $0.key < $1.key }.map { key, value in
                    guard shown.contains(key), case .leaf(let leaf) = Shape(value) else { return key }
                    return "\(key)=\(leaf.value ?? "")"
                }
            }
            positions += zip(moment, words).sorted { $0.1.lexicographicallyPrecedes($1.1) }.map(\.0)
        }
        for position in events.indices {
            if let last = moment.last, !isOneMoment(events[last], events[position]) {
                close()
                moment = []
            }
            moment.append(position)
        }
        close()
        return positions
    }

    private static func isOneMoment(_ first: AppEvent, _ second: AppEvent) -> Bool {
        abs(first.time - second.time) <= OrderEvidence.moment
    }

    // MARK: - Other partners

    /// Pairs what is left over at the moment of a pair.
    private func withLeftOver(_ pairs: [(old: Int, new: Int)]) -> [(old: Int, new: Int)] {
        let (known, found) = (Set(pairs.map(\.old)), Set(pairs.map(\.new)))
        var free = new.indices.filter { !found.contains($0) }
        guard !free.isEmpty else { return pairs }
        var all = pairs
        for position in old.indices where !known.contains(position) {
            guard let anchor = pairs.first(where: { Self.isOneMoment(old[$0.old], old[position]) }),
                let place = free.firstIndex(where: { Self.isOneMoment(new[anchor.new], new[$0]) })
            else { continue }
            all.append((position, free.remove(at: place)))
        }
        return all.sorted { $0.old < $1.old }
    }

    /// Lets pairs of the same moment change partners where the others are more alike.
    private func untangled(_ pairs: [(old: Int, new: Int)]) -> [(old: Int, new: Int)] {
        var pairs = pairs
        var costs = pairs.map { cost($0.old, $0.new) }
        var isChanged = true
        // Each change makes the sum less, so this ends.
        while isChanged {
            isChanged = false
            for first in pairs.indices {
                for second in pairs.indices[first...].dropFirst().prefix(Self.reach)
                where costs[first] + costs[second] > 0
                    && Self.isOneMoment(old[pairs[first].old], old[pairs[second].old])
                    && Self.isOneMoment(new[pairs[first].new], new[pairs[second].new])
                {
                    let one = cost(pairs[first].old, pairs[second].new)
                    let other = cost(pairs[second].old, pairs[first].new)
                    guard one + other < costs[first] + costs[second] else { continue }
                    (pairs[first].new, pairs[second].new) = (pairs[second].new, pairs[first].new)
                    (costs[first], costs[second]) = (one, other)
                    isChanged = true
                }
            }
        }
        return zip(pairs, costs).filter { $0.1 < Alignment.mostCost }.map(\.0)
    }
}
