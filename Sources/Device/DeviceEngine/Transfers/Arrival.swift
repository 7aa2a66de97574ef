package import Foundation
import LinkProtocol

extension DeviceEngine {
    /// A transfer that arrived and is not stored yet.
    package struct Arrival: Equatable, Sendable {
        package let transfer: ReceivedTransfer
        /// The size of the payload or file in bytes.
        package let bytes: Int
        package let device: UUID
        /// True if the sender starts a new round with it.
        let startsRound: Bool

        /// Returns the ledger notes for it, once it is stored.
        package func notes(_ outcome: ReceiveOutcome, at time: Date) -> [LedgerNote] {
            func note(_ cause: String? = nil, related: UUID? = nil) -> LedgerNote {
                LedgerNote(
                    transfer.identifier, .incoming, transfer.kind, device: device, bytes: bytes, .received, at: time,
                    cause: cause, related: related)
            }
            switch outcome {
            case .stored(let replaced):
                guard let replaced else { return [note()] }
                return [
                    note(), .coalesced(replaced, by: transfer.identifier, .incoming, device: device, at: time),
                ]
            case .repeated:
                return [note("a duplicate of an earlier transfer", related: transfer.identifier)]
            case .full: return []
            }
        }
    }

    /// The result of a transfer's delivery to the delegate.
    package enum Delivery: Equatable, Sendable {
        case delivered
        /// It failed permanently, for this reason.
        case failed(String)
        /// The app ended first: the transfer is delivered again.
        case discarded
    }
}
