public import Foundation

/// The current connection of each device: the one with the latest hello. A restarted watch does not have to wait until
/// its previous, dead connection times out.
@usableFromInline
package struct PeerTable<Connection: Equatable & Sendable>: Sendable {
    @usableFromInline var connections: [IdentifierKey: Connection] = [:]

    @inlinable
    package init() {}

    @inlinable
    package subscript(device: UUID) -> Connection? { connections[device] }

    /// Records a device's hello on a connection.
    ///
    /// - Returns: The device's previous connection, which is dead now.
    @inlinable
    package mutating func established(_ device: UUID, on connection: Connection) -> Connection? {
        connections.updateValue(connection, forKey: device)
    }

    /// Records a closed connection. Returns true if it was the device's current one; older ones are ignored.
    @inlinable
    package mutating func closed(_ connection: Connection, of device: UUID) -> Bool {
        guard connections[device] == connection else { return false }
        connections[device] = nil
        return true
    }
}
