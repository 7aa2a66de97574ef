package import LinkProtocol

/// The ledger entries of a commit.
package struct LedgerBatch: Sendable {
    package let entries: [LedgerEntry]
    /// The number of entries that the ledger keeps, within 2 %.
    package let capacity: Int

    package init(_ entries: [LedgerEntry], capacity: Int) {
        self.entries = entries
        self.capacity = capacity
    }

    package static let nothing = LedgerBatch([], capacity: 0)
}
