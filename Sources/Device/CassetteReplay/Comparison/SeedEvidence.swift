/// The differences of a build that come and go with the seed: in another one, it does at that event what was recorded.
package struct SeedEvidence {
    private struct Place: Hashable {
        let event: Int
        let name: String
    }

    private let others: [(names: [String: Int], places: Set<Place>)]

    /// - Parameter others: What differs in the courses of the same build with other seeds, each compared with the same one.
    package init(_ others: [[Deviation]]) {
        self.others = others.map { deviations in
            (Self.counts(deviations), Set(deviations.compactMap(Self.place)))
        }
    }

    /// Returns the positions of the differences of a course that are chance.
    ///
    /// A deed that is missing may be told of the one or of the other of two that are alike, so of such differences at least as many are left as there are in
    /// each course. An order that has changed is told of the same deed in each.
    package func chance(_ deviations: [Deviation]) -> Set<Int> {
        guard !others.isEmpty else { return [] }
        var left = Self.counts(deviations).reduce(into: [:]) { left, found in
            left[found.key] = others.reduce(found.value) { min($0, $1.names[found.key] ?? 0) }
        }
        var chance: Set<Int> = []
        var doubtful: [Int] = []
        for (index, deviation) in deviations.enumerated() where deviation.verdict == .changed {
            if let place = Self.place(deviation), others.allSatisfy({ $0.places.contains(place) }) {
                left[deviation.name, default: 0] -= 1
            } else if deviation.kind.staysWithItsDeed {
                chance.insert(index)
            } else if deviation.kind.canBeChance {
                doubtful.append(index)
            }
        }
        for index in doubtful {
            if left[deviations[index].name, default: 0] > 0 {
                left[deviations[index].name, default: 0] -= 1
            } else {
                chance.insert(index)
            }
        }
        return chance
    }

    private static func counts(_ deviations: [Deviation]) -> [String: Int] {
        deviations.reduce(into: [:]) { $0[$1.name, default: 0] += 1 }
    }

    private static func place(_ deviation: Deviation) -> Place? {
        deviation.recorded.map { Place(event: $0, name: deviation.name) }
    }
}

extension Deviation.Kind {
    /// True for a difference that is told of the same deed in each course in which it is there.
    fileprivate var staysWithItsDeed: Bool {
        switch self {
        case .order, .late: true
        case .content(let change): change.isOfIdentity
        case .missing, .unasked, .extra, .outcome, .occasion, .reply, .unanswered, .contract, .ending, .finding: false
        }
    }

    fileprivate var canBeChance: Bool {
        switch self {
        case .contract, .ending, .finding, .unanswered: false
        case .missing, .unasked, .extra, .content, .outcome, .late, .order, .occasion, .reply: true
        }
    }
}
