package import Foundation
package import KeyedArchive

/// The content of the first package each way: a binary property list with who the device is and how it is.
package struct Hello: Equatable, Sendable {
    /// The versions of the protocol that this code speaks. Both sides must name one and the same.
    package static let version = 1

    package let version: Int
    package let device: Device
    package let state: DeviceState

    package init(device: Device, state: DeviceState = DeviceState(), version: Int = Hello.version) {
        self.version = version
        self.device = device
        self.state = state
    }

    private enum Key {
        static let version = "protocolVersion"
        static let role = "role"
        static let identifier = "deviceIdentifier"
        static let name = "deviceName"
    }

    package func package(identifier: UUID, timestamp: Date) throws(ArchiveError) -> MessagePackage {
        var entries = state.entries
        entries[Key.version] = .integer(Int64(version))
        entries[Key.role] = .string(device.role.rawValue)
        entries[Key.identifier] = .string(device.identifier.uuidString)
        entries[Key.name] = .string(device.name)
        return try MessagePackage(.hello, content: entries, identifier: identifier, timestamp: timestamp)
    }

    /// - Throws: ``ProtocolError`` that names what is missing or wrong.
    package init(_ package: MessagePackage, expecting expected: Int = Hello.version) throws(ProtocolError) {
        let content = try package.content(.badHello)
        guard case .integer(let version) = content[Key.version] else {
            throw ProtocolError(.badHello, "no “\(Key.version)”")
        }
        guard version == Int64(expected) else {
            throw ProtocolError(.versionMismatch, "the peer speaks version \(version), this side \(expected)")
        }
        guard case .string(let roleName) = content[Key.role], let role = DeviceRole(rawValue: roleName) else {
            throw ProtocolError(.badHello, "no “\(Key.role)” that is host or companion")
        }
        guard case .string(let text) = content[Key.identifier], let identifier = UUID(uuidString: text) else {
            throw ProtocolError(.badHello, "no “\(Key.identifier)” that is a UUID")
        }
        guard case .string(let name) = content[Key.name], name.utf8.count <= LinkLimits.deviceNameBytes else {
            throw ProtocolError(.badHello, "no “\(Key.name)” of up to \(LinkLimits.deviceNameBytes) bytes")
        }
        self.version = Int(version)
        self.device = Device(identifier: identifier, role: role, name: name)
        state = try DeviceState(content)
    }
}
