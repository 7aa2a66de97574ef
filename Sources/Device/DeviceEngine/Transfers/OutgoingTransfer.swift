package import Foundation
package import LinkProtocol

/// A transfer on its way out, as the store keeps it until the delegate knows how it ended.
package struct OutgoingTransfer: Equatable, Sendable {
    /// How it ended: delivered if there is no error.
    package struct Ending: Equatable, Sendable {
        /// A number of WCError.Code.
        package let code: Int?
        package let reason: String?

        package init(code: Int?, reason: String?) {
            self.code = code
            self.reason = reason
        }
    }

    package let identifier: UUID
    /// The counterpart it is for.
    package let peer: UUID
    package var kind: TransferKind
    /// A dictionary as a binary property list; for files their metadata, if there is any.
    package let payload: Data?
    package let file: FileStamp?
    package let queuedAt: Date
    /// The order of acceptance; 0 until it was stored.
    package var position: Int64 = 0
    /// Nil while it is not over.
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
