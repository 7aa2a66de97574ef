package import Foundation

/// The key of an incoming file: a device may offer a file again, and two devices may use the same identifier.
package struct FileKey: Hashable, Sendable {
    package let device: UUID
    package let transfer: UUID

    package init(device: UUID, transfer: UUID) {
        self.device = device
        self.transfer = transfer
    }
}
