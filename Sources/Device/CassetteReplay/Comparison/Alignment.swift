/// The alignment of two sequences in order, with the least total cost; neighbours may change places.
///
/// An element without a partner costs as much as a partner that is half wrong, so that one that is missing does not shift
/// all that follow it.
struct Alignment {
    /// The cost of an element without a partner.
    static let gap = 5
    /// The most that a pair costs: less than two elements without partners, as a changed one is likelier than both.
    static let mostCost = 2 * gap - 1
    /// The cost of neighbours that changed places: less than one that is missing and another that is new.
    private static let swap = 1
    /// The farthest that partners are apart, counted from the equal beginning. 64: more that are missing or new in a row
    /// are no change but another app.
    private static let band = 64
    /// The most elements that are aligned after the equal beginning. 10,000: their table has about 20 MB; those beyond are
    /// paired as they stand.
    static let mostAligned = 10_000

    /// The way from a pair of positions to the next.
    enum Step { case skip, pair, swap }

    /// The pairs of positions, in the order of the old ones.
    private(set) var pairs: [(old: Int, new: Int)] = []

    /// - Parameters:
    ///   - most: The most elements that are aligned after the equal beginning.
    ///   - cost: The cost of a pair; 0 for equal elements.
    init(_ oldCount: Int, _ newCount: Int, most: Int = mostAligned, cost: (Int, Int) -> Int) {
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
        let last = start + most
        pairs += Self.middle(start..<min(last, oldEnd), start..<min(last, newEnd), cost)
        if last < min(oldEnd, newEnd) { pairs += (last..<min(oldEnd, newEnd)).map { ($0, $0) } }
        pairs += tail.reversed()
    }

    private static func middle(
        _ old: Range<Int>, _ new: Range<Int>, _ cost: (Int, Int) -> Int
    ) -> [(old: Int, new: Int)] {
        guard !old.isEmpty, !new.isEmpty else { return [] }
        var table = Table(rows: old.count, band: band)
        func both(_ row: Int, _ column: Int) -> Int {
            table.cost(row, column) { min(mostCost, cost(old.lowerBound + row, new.lowerBound + column)) }
        }
        for row in stride(from: old.count, through: 0, by: -1) {
            for column in stride(from: min(new.count, row + band), through: max(0, row - band), by: -1) {
                guard row < old.count || column < new.count else {
                    table[row, column] = (0, .skip)
                    continue
                }
                var best = (cost: Table.unknown, step: Step.skip)
                if row < old.count { best.cost = min(best.cost, table[row + 1, column].cost + gap) }
                if column < new.count { best.cost = min(best.cost, table[row, column + 1].cost + gap) }
                if row < old.count, column < new.count {
                    let paired = table[row + 1, column + 1].cost + both(row, column)
                    if paired <= best.cost { best = (paired, .pair) }
                }
                if row + 1 < old.count, column + 1 < new.count, best.cost > swap {
                    let swapped =
                        table[row + 2, column + 2].cost + swap + both(row, column + 1) + both(row + 1, column)
                    if swapped < best.cost { best = (swapped, .swap) }
                }
                table[row, column] = best
            }
        }
        return walk(old, new, table)
    }

    /// Returns the pairs on the way with the least cost.
    private static func walk(
        _ old: Range<Int>, _ new: Range<Int>, _ table: Table
    ) -> [(old: Int, new: Int)] {
        var found: [(old: Int, new: Int)] = []
        var (row, column) = (0, 0)
        while row < old.count, column < new.count {
            let (first, second) = (old.lowerBound + row, new.lowerBound + column)
            switch table[row, column].step {
            case .pair:
                found.append((first, second))
                (row, column) = (row + 1, column + 1)
            case .swap:
                found += [(first, second + 1), (first + 1, second)]
                (row, column) = (row + 2, column + 2)
            case .skip where table[row + 1, column].cost <= table[row, column + 1].cost: row += 1
            case .skip: column += 1
            }
        }
        return found
    }
}
