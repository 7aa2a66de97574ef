package import Foundation
package import LinkProtocol

/// An outgoing transfer, as the store keeps it until the delegate knows its outcome.
package struct OutgoingTransfer: Equatable, Sendable {
    /// A transfer's outcome: delivered if there is no error code.
    package struct Ending: Equatable, Sendable {
        /// A raw value of WCError.Code.
        package let code: Int?
        package let reason: String?

        package init(code: Int?, reason: String?) {
            self.code = code
            self.reason = reason
        }
    }

    package let identifier: UUID
    /// The receiving counterpart.
    package let peer: UUID
    package var kind: TransferKind
    /// A dictionary as a binary property list; for files, their metadata, if any.
    package let payload: Data?
    package let file: FileStamp?
    package let queuedAt: Date
    /// The order of acceptance; 0 until it is stored.
    package var position: Int64 = 0
    /// Nil until the transfer ends.
    package var ending: Ending?

    package init(
        identifier: UUID, peer: UUID, kind: TransferKind, payload: Data?, file: FileStamp? = nil, queuedAt: Date
    ) {
        self.identifier = identifier
        self.peer = peer
        self.kind = kind
        self.payload = payload
        self.file = file
        self.queuedAt = queuedAt
    }
}
