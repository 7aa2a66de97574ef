package import Foundation

/// A selection of ledger entries.
package struct LedgerQuery: Equatable, Sendable {
    /// Only entries after this sequence number.
    package var after: Int64 = 0
    /// Only entries before this sequence number.
    package var before: Int64?
    /// Only the entries of this message.
    package var identifier: UUID?
    /// The maximum number of entries: the latest ones, in order of their sequence numbers.
    package var limit = 1_000

    package init() {}
}
