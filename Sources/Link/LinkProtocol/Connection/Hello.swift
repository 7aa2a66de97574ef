package import Foundation
package import KeyedArchive

/// The content of the first package in each direction: a binary property list with the device's identity and state.
package struct Hello: Equatable, Sendable {
    /// The protocol versions that the device supports; the connection uses the highest common one.
    package let versions: ClosedRange<Int>
    package let device: Device
    package let state: DeviceState
    /// The pairing code that a new watch presents to a phone that requires one.
    package let pairingCode: String?

    /// The longest pairing code accepted, in bytes. 64: a code has a few digits.
    private static let pairingCodeBytes = 64

    package init(
        device: Device, state: DeviceState = DeviceState(), pairingCode: String? = nil,
        versions: ClosedRange<Int> = ProtocolVersion.spoken
    ) {
        self.versions = versions
        self.device = device
        self.state = state
        self.pairingCode = pairingCode
    }

    private enum Key {
        /// The lowest version: a peer that only supports the first compares this key alone.
        static let version = "protocolVersion"
        /// The highest version; if missing, only the lowest is supported.
        static let highestVersion = "highestProtocolVersion"
        static let role = "role"
        static let identifier = "deviceIdentifier"
        static let name = "deviceName"
        static let pairingCode = "pairingCode"
    }

    package func package(identifier: UUID, timestamp: Date) throws(ArchiveError) -> MessagePackage {
        var entries = state.entries
        entries[Key.version] = .integer(Int64(versions.lowerBound))
        if versions.count > 1 { entries[Key.highestVersion] = .integer(Int64(versions.upperBound)) }
        entries[Key.role] = .string(device.role.rawValue)
        entries[Key.identifier] = .string(device.identifier.text)
        entries[Key.name] = .string(device.name)
        entries[Key.pairingCode] = pairingCode.map { .string($0) }
        return try MessagePackage(.hello, content: entries, identifier: identifier, timestamp: timestamp)
    }

    /// Decodes a hello.
    ///
    /// - Throws: ``ProtocolError`` that names the missing or invalid key.
    package init(_ package: MessagePackage) throws(ProtocolError) {
        let content = try package.content(.badHello)
        versions = try Self.versions(in: content)
        guard case .string(let roleName) = content[Key.role], let role = DeviceRole(rawValue: roleName) else {
            throw ProtocolError(.badHello, "“\(Key.role)” is missing or not host or companion")
        }
        guard case .string(let text) = content[Key.identifier], let identifier = UUID(text: text) else {
            throw ProtocolError(.badHello, "“\(Key.identifier)” is missing or not a UUID")
        }
        guard case .string(let name) = content[Key.name], name.utf8.count <= LinkLimits.deviceNameBytes else {
            throw ProtocolError(
                .badHello, "“\(Key.name)” is missing or longer than \(LinkLimits.deviceNameBytes) bytes")
        }
        if case .string(let code) = content[Key.pairingCode], code.utf8.count <= Self.pairingCodeBytes {
            pairingCode = code
        } else {
            pairingCode = nil
        }
        self.device = Device(identifier: identifier, role: role, name: name)
        state = try DeviceState(content)
    }

    private static func versions(in content: PropertyListValue) throws(ProtocolError) -> ClosedRange<Int> {
        guard case .integer(let lowest) = content[Key.version] else {
            throw ProtocolError(.badHello, "“\(Key.version)” is missing")
        }
        guard let value = content[Key.highestVersion] else { return Int(lowest)...Int(lowest) }
        guard case .integer(let highest) = value, highest >= lowest else {
            throw ProtocolError(.badHello, "“\(Key.highestVersion)” must be an integer of at least \(lowest)")
        }
        return Int(lowest)...Int(highest)
    }
}
