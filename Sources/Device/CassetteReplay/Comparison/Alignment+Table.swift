extension Alignment {
    /// The least cost of all that follows a pair of positions, and the step that has it; kept for pairs within a band.
    struct Table {
        /// The cost outside of the band. Sums of it stay in range.
        static let unknown = Int(Int32.max / 2)

        private let band: Int
        private let width: Int
        private var costs: [Int32]
        private var steps: [Step]
        /// The costs of the pairs themselves, each of which is needed up to three times; -1 for one that was not asked for.
        private var pairs: [Int32]

        init(rows: Int, band: Int) {
            (self.band, width) = (band, 2 * band + 1)
            let count = (rows + 1) * width
            costs = Array(repeating: Int32(Self.unknown), count: count)
            steps = Array(repeating: .skip, count: count)
            pairs = Array(repeating: -1, count: count)
        }

        subscript(row: Int, column: Int) -> (cost: Int, step: Step) {
            get { place(row, column).map { (Int(costs[$0]), steps[$0]) } ?? (Self.unknown, .skip) }
            set {
                guard let place = place(row, column) else { return }
                (costs[place], steps[place]) = (Int32(min(newValue.cost, Self.unknown)), newValue.step)
            }
        }

        /// Returns the cost of a pair, which is computed once.
        mutating func cost(_ row: Int, _ column: Int, _ compute: () -> Int) -> Int {
            guard let place = place(row, column) else { return compute() }
            if pairs[place] < 0 { pairs[place] = Int32(clamping: compute()) }
            return Int(pairs[place])
        }

        private func place(_ row: Int, _ column: Int) -> Int? {
            let offset = column - row + band
            return (0..<width).contains(offset) && row * width + offset < costs.count ? row * width + offset : nil
        }
    }
}
