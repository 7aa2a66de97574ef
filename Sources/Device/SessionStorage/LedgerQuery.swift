package import Foundation

/// Which entries of a ledger are wanted.
package struct LedgerQuery: Equatable, Sendable {
    /// Only those behind this place.
    package var after: Int64 = 0
    /// Only those before this place.
    package var before: Int64?
    /// Only that message.
    package var identifier: UUID?
    /// The latest so many, in the order of their places.
    package var limit = 1_000

    package init() {}
}
