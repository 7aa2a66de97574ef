package import Foundation

/// Which entries of a device's ledger somebody wants.
package struct LedgerQuestion: Equatable, Sendable {
    /// Most entries in one answer. 1,000: a few hundred kilobytes.
    package static let most = 1_000

    /// Only those that changed after this place.
    package var after: Int64 = 0
    /// Only those that changed before this place.
    package var before: Int64?
    /// Only that message.
    package var identifier: UUID?
    /// The latest so many.
    package var limit = Self.most
    /// The answer waits until there is an entry.
    package var waits = false

    package init() {}
}
