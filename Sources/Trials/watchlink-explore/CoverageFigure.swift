import VirtualTime

/// How much of something seeds have come to, and how much more another hundred would bring.
struct CoverageFigure: Codable, Equatable {
    let known: Int
    let expectedNews: Double

    init(known: Int, expectedNews: Double) { (self.known, self.expectedNews) = (known, expectedNews) }

    init(_ coverage: Coverage) {
        self.init(known: coverage.worlds.count, expectedNews: coverage.runs == 0 ? 0 : coverage.expectedNews * 100)
    }
}

extension CoverageFigure? {
    /// What two machines came to for certain, and the news that they can expect at most.
    func least(with other: CoverageFigure?) -> CoverageFigure? {
        guard let self, let other else { return self ?? other }
        return CoverageFigure(
            known: max(self.known, other.known), expectedNews: min(self.expectedNews, other.expectedNews))
    }
}
