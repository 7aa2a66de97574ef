/// The alignment of two sequences in order, with the least total cost; neighbours may change places.
///
/// An element without a partner costs as much as a partner that is half wrong, so that one that is missing does not shift
/// all that follow it.
struct Alignment {
    /// The cost of an element without a partner.
    private static let gap = 5
    /// The most that a pair costs: less than two elements without partners, as a changed one is likelier than both.
    static let mostCost = 2 * gap - 1
    /// The cost of neighbours that changed places: less than one that is missing and another that is new.
    private static let swap = 1
    /// The farthest that partners are apart, counted from the equal beginning. 64: more that are missing or new in a row
    /// are no change but another app.
    private static let band = 64

    /// The way from a pair of positions to the next.
    private enum Step { case skip, pair, swap }

    /// The pairs of positions, in the order of the old ones.
    private(set) var pairs: [(old: Int, new: Int)] = []

    /// - Parameter cost: The cost of a pair; 0 for equal elements.
    init(_ oldCount: Int, _ newCount: Int, cost: (Int, Int) -> Int) {
        var start = 0
        while start < min(oldCount, newCount), cost(start, start) == 0 {
            pairs.append((start, start))
            start += 1
        }
        var (oldEnd, newEnd) = (oldCount, newCount)
        var tail: [(old: Int, new: Int)] = []
        while oldEnd > start, newEnd > start, cost(oldEnd - 1, newEnd - 1) == 0 {
            (oldEnd, newEnd) = (oldEnd - 1, newEnd - 1)
            tail.append((oldEnd, newEnd))
        }
        pairs += Self.middle(start..<oldEnd, start..<newEnd, cost) + tail.reversed()
    }

    private static func middle(
        _ old: Range<Int>, _ new: Range<Int>, _ cost: (Int, Int) -> Int
    ) -> [(old: Int, new: Int)] {
        guard !old.isEmpty, !new.isEmpty else { return [] }
        // The least cost of all that follows a pair of positions, and the step that has it.
        let width = new.count + 1
        var costs = [Int](repeating: .max / 2, count: (old.count + 1) * width)
        var steps = [Step](repeating: .skip, count: costs.count)
        func both(_ row: Int, _ column: Int) -> Int {
            min(mostCost, cost(old.lowerBound + row, new.lowerBound + column))
        }
        for row in stride(from: old.count, through: 0, by: -1) {
            for column in stride(from: min(new.count, row + band), through: max(0, row - band), by: -1) {
                let place = row * width + column
                guard row < old.count || column < new.count else {
                    costs[place] = 0
                    continue
                }
                var best = Int.max / 2
                if row < old.count { best = min(best, costs[place + width] + gap) }
                if column < new.count { best = min(best, costs[place + 1] + gap) }
                if row < old.count, column < new.count {
                    let paired = costs[place + width + 1] + both(row, column)
                    if paired <= best { (best, steps[place]) = (paired, .pair) }
                }
                if row + 1 < old.count, column + 1 < new.count, best > swap {
                    let swapped =
                        costs[place + 2 * width + 2] + swap + both(row, column + 1) + both(row + 1, column)
                    if swapped < best { (best, steps[place]) = (swapped, .swap) }
                }
                costs[place] = best
            }
        }
        return walk(old, new, width, costs, steps)
    }

    /// Returns the pairs on the way with the least cost.
    private static func walk(
        _ old: Range<Int>, _ new: Range<Int>, _ width: Int, _ costs: [Int], _ steps: [Step]
    ) -> [(old: Int, new: Int)] {
        var found: [(old: Int, new: Int)] = []
        var (row, column) = (0, 0)
        while row < old.count, column < new.count {
            let place = row * width + column
            let (first, second) = (old.lowerBound + row, new.lowerBound + column)
            switch steps[place] {
            case .pair:
                found.append((first, second))
                (row, column) = (row + 1, column + 1)
            case .swap:
                found += [(first, second + 1), (first + 1, second)]
                (row, column) = (row + 2, column + 2)
            case .skip where costs[place + width] <= costs[place + 1]: row += 1
            case .skip: column += 1
            }
        }
        return found
    }
}
