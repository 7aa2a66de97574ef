import VirtualTime

/// The amount of something that seeds have reached, and the amount that another hundred are expected to add.
struct CoverageFigure: Codable, Equatable {
    let known: Int
    let expectedNews: Double

    init(known: Int, expectedNews: Double) { (self.known, self.expectedNews) = (known, expectedNews) }

    init(_ coverage: Coverage) {
        self.init(known: coverage.worlds.count, expectedNews: coverage.runs == 0 ? 0 : coverage.expectedNews * 100)
    }
}

extension CoverageFigure? {
    /// Returns the amount that two machines have certainly reached, and an upper limit of the expected addition.
    func least(with other: CoverageFigure?) -> CoverageFigure? {
        guard let self, let other else { return self ?? other }
        return CoverageFigure(
            known: max(self.known, other.known), expectedNews: min(self.expectedNews, other.expectedNews))
    }
}
