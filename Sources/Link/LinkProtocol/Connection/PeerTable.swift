package import Foundation

/// Which connection is a device's own: the latest that said hello. A watch that restarted must not wait until the ghost of its
/// former connection is silent.
package struct PeerTable<Connection: Equatable & Sendable>: Sendable {
    private var connections: [UUID: Connection] = [:]

    package init() {}

    package subscript(device: UUID) -> Connection? { connections[device] }

    /// A device said hello on a connection.
    ///
    /// - Returns: Its former connection, which is a ghost now.
    package mutating func established(_ device: UUID, on connection: Connection) -> Connection? {
        connections.updateValue(connection, forKey: device)
    }

    /// Whether the connection that closed was the device's own: a ghost's end is of no interest.
    package mutating func closed(_ connection: Connection, of device: UUID) -> Bool {
        guard connections[device] == connection else { return false }
        connections[device] = nil
        return true
    }
}
