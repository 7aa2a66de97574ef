package import LinkProtocol

/// What a ledger takes in with a commit.
package struct LedgerBatch: Sendable {
    package let entries: [LedgerEntry]
    /// How many entries the ledger keeps, give or take a fiftieth.
    package let capacity: Int

    package init(_ entries: [LedgerEntry], capacity: Int) {
        self.entries = entries
        self.capacity = capacity
    }

    package static let nothing = LedgerBatch([], capacity: 0)
}
