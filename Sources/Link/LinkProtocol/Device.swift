public import Foundation

/// The identity of a device, as sent in its hello.
public struct Device: Sendable, Hashable {
    /// The permanent identifier of the device.
    public let identifier: UUID
    /// The device's end of the link.
    public let role: DeviceRole
    /// A display name. Never logged: it may contain a person's name.
    public let name: String

    /// Creates an identity from its parts.
    public init(identifier: UUID, role: DeviceRole, name: String) {
        self.identifier = identifier
        self.role = role
        self.name = name
    }
}
