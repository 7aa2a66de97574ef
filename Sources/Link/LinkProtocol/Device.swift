public import Foundation

/// Who a device is, as it says in its hello.
public struct Device: Sendable, Hashable {
    public let identifier: UUID
    public let role: DeviceRole
    /// For people to read. Never logged: it may be a person's.
    public let name: String

    public init(identifier: UUID, role: DeviceRole, name: String) {
        self.identifier = identifier
        self.role = role
        self.name = name
    }
}
