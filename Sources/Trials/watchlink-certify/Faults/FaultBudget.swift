/// The end of a series of faults: a time, or a number of them.
enum FaultBudget: Equatable {
    case seconds(Double)
    case points(Int)

    /// Returns a part of it.
    ///
    /// - Parameters:
    ///   - time: The share of the time.
    ///   - points: The share of the number; most go to faults that are quick.
    func part(time: Double, points share: Double) -> FaultBudget {
        switch self {
        case .seconds(let seconds): .seconds(seconds * time)
        case .points(let points): .points(max(1, Int((Double(points) * share).rounded())))
        }
    }

    /// A run against the budget, which began at its creation.
    struct Run {
        private let budget: FaultBudget
        private let start = ContinuousClock.now

        init(_ budget: FaultBudget) { self.budget = budget }

        /// Returns true if the time is over, or the number reached.
        func isOver(after points: Int) -> Bool {
            switch budget {
            case .seconds(let seconds): ContinuousClock.now >= start + .seconds(seconds)
            case .points(let most): points >= most
            }
        }
    }
}
