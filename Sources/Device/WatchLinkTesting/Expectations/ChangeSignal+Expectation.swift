import LinkProtocol

extension ChangeSignal {
    /// The pause between two looks at a ledger without an event. 100 ms: a ledger is written after the line that tells
    /// of a change, and the last line of all may come before.
    private static let pause: Duration = .milliseconds(100)

    /// Waits until an expectation holds.
    ///
    /// - Throws: ``LedgerMismatch`` if it does not hold in time, or no longer can.
    func expect(
        _ expectation: LedgerExpectation, within limit: Duration, at place: CallSite,
        _ ledger: (PairSide) throws -> [LedgerEntry]
    ) async throws {
        guard let side = expectation.ledger, expectation.obstacle == nil else {
            throw LedgerMismatch(expectation, impossible: expectation.obstacle ?? "", at: place)
        }
        var entries: [LedgerEntry] = []
        var count = 0
        let holds = try await holds(within: limit, checkedEvery: Self.pause) {
            entries = expectation.entries(of: try ledger(side))
            count = entries.count(where: expectation.counts)
            guard count <= expectation.times.upperBound else {
                throw LedgerMismatch(expectation, "there are already \(count)", entries, at: place, devices)
            }
            return count >= expectation.times.lowerBound
        }
        guard holds else {
            let ending = "after \(limit) there \(count == 1 ? "is" : "are") \(count == 0 ? "none" : "\(count)")"
            throw LedgerMismatch(expectation, ending, entries, at: place, devices)
        }
    }
}
