package import Foundation
import LinkProtocol

extension DeviceEngine {
    /// A transfer that came, and is not kept yet.
    package struct Arrival: Equatable, Sendable {
        package let transfer: ReceivedTransfer
        /// The payload's or the file's size.
        package let bytes: Int
        package let device: UUID
        /// Its sender begins anew with it.
        let startsRound: Bool

        /// The ledger's notes of it, once it is kept.
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
                return [note("a repeat of what had arrived before", related: transfer.identifier)]
            case .full: return []
            }
        }
    }

    /// The end of a transfer's turn with the delegate.
    package enum Delivery: Equatable, Sendable {
        case delivered
        /// For good.
        case failed(String)
        /// The app ended before its turn: it is given again.
        case discarded
    }
}
