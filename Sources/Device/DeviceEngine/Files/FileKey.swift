package import Foundation

/// A file that comes in: a device may offer it again, and two devices may offer files of one identifier.
package struct FileKey: Hashable, Sendable {
    package let device: UUID
    package let transfer: UUID

    package init(device: UUID, transfer: UUID) {
        self.device = device
        self.transfer = transfer
    }
}
