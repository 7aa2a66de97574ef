package import Foundation
package import LinkProtocol

/// One state that a message or transfer took, for the ledger.
package struct LedgerNote: Equatable, Sendable {
    package let identifier: UUID
    package let direction: LedgerEntry.Direction
    package let kind: TransferKind
    /// The counterpart, where it is known.
    package let device: UUID?
    /// The payload's size.
    package let bytes: Int
    package let state: LedgerEntry.State
    package let time: Date
    package let cause: String?
    /// The transfer that took its place, or that it repeats.
    package let related: UUID?

    package init(
        _ identifier: UUID, _ direction: LedgerEntry.Direction, _ kind: TransferKind, device: UUID?, bytes: Int = 0,
        _ state: LedgerEntry.State, at time: Date, cause: String? = nil, related: UUID? = nil
    ) {
        self.identifier = identifier
        self.direction = direction
        self.kind = kind
        self.device = device
        self.bytes = bytes
        self.state = state
        self.time = time
        self.cause = cause
        self.related = related
    }

    /// A context whose place a newer one took.
    package static func coalesced(
        _ former: UUID, by newer: UUID, _ direction: LedgerEntry.Direction, device: UUID?, at time: Date
    ) -> LedgerNote {
        LedgerNote(
            former, direction, .context, device: device, .coalesced, at: time, cause: "a newer context took its place",
            related: newer)
    }
}
