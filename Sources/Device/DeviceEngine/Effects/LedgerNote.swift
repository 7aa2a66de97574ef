package import Foundation
package import LinkProtocol

/// A state that a message or transfer reached, for the ledger.
package struct LedgerNote: Equatable, Sendable {
    package let identifier: UUID
    package let direction: LedgerEntry.Direction
    package let kind: TransferKind
    /// The counterpart, if known.
    package let device: UUID?
    /// The payload's size in bytes.
    package let bytes: Int
    package let state: LedgerEntry.State
    package let time: Date
    package let cause: String?
    /// The transfer that replaced it, or that it duplicates.
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

    /// Returns the note for a context that a newer one replaced.
    package static func coalesced(
        _ former: UUID, by newer: UUID, _ direction: LedgerEntry.Direction, device: UUID?, at time: Date
    ) -> LedgerNote {
        LedgerNote(
            former, direction, .context, device: device, .coalesced, at: time, cause: "a newer context replaced it",
            related: newer)
    }
}
