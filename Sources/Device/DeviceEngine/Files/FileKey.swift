package import Foundation
import LinkProtocol

/// The key of an incoming file: a device may offer a file again, and two devices may use the same identifier.
package struct FileKey: Hashable, Sendable {
    package let device: UUID
    package let transfer: UUID

    package init(device: UUID, transfer: UUID) {
        self.device = device
        self.transfer = transfer
    }

    /// The hash that dictionaries use: as quick as that of an identifier's key.
    package func _rawHashValue(seed: Int) -> Int {
        IdentifierKey(transfer)._rawHashValue(seed: IdentifierKey(device)._rawHashValue(seed: seed))
    }
}
