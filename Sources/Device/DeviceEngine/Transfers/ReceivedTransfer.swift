package import Foundation
package import LinkProtocol

/// An arrived transfer, as the store keeps it until the delegate has received it.
package struct ReceivedTransfer: Equatable, Sendable {
    package let identifier: UUID
    /// The counterpart that sent it.
    package let peer: UUID
    package let kind: TransferKind
    package var payload: Data?
    /// A file's path in the inbox.
    package var path: String?
    package let receivedAt: Date
    /// The order of arrival; 0 until it is stored.
    package var position: Int64 = 0

    package init(
        identifier: UUID, peer: UUID, kind: TransferKind, payload: Data?, path: String? = nil, receivedAt: Date
    ) {
        self.identifier = identifier
        self.peer = peer
        self.kind = kind
        self.payload = payload
        self.path = path
        self.receivedAt = receivedAt
    }
}
