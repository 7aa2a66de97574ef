package import Foundation

/// A query for entries of a device's ledger.
package struct LedgerQuestion: Equatable, Sendable {
    /// The maximum number of entries in one answer. 1,000: a few hundred kilobytes.
    package static let most = 1_000

    /// Only entries that changed after this sequence number.
    package var after: Int64 = 0
    /// Only entries that changed before this sequence number.
    package var before: Int64?
    /// Only the entries of this message.
    package var identifier: UUID?
    /// The maximum number of entries, counted from the latest.
    package var limit = Self.most
    /// True if the answer waits until there is an entry.
    package var waits = false

    package init() {}
}
