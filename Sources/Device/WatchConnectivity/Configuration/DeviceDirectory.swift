import Configuration
import Foundation

/// A device's state directory: what lies where.
package struct DeviceDirectory: Sendable {
    package let path: String

    package init(_ path: String) { self.path = path }

    package var database: String { path + "/session.sqlite" }
    package var controlSocket: String { path + "/control.sock" }
    /// Held by the process that uses the directory.
    var lock: String { path + "/lock" }
    /// Files that are whole and not yet given to the delegate, each in a directory of its own.
    var inbox: String { path + "/inbox" }
    /// Files that are on their way.
    var partial: String { path + "/partial" }
    /// One directory for each watch, for the app to keep data of that watch in.
    var watches: String { path + "/watches" }

    func watch(_ identifier: UUID) -> String { watches + "/" + identifier.uuidString }

    /// Where the copy of a received file lies that is given a second time, on demand. Whatever a crash leaves there goes at the next start.
    func again(_ transfer: UUID) -> String { "\(inbox)/\(transfer.uuidString)-again" }

    func partial(_ transfer: UUID, from peer: UUID) -> String { "\(partial)/\(peer.uuidString)-\(transfer.uuidString)" }

    /// Makes all of it.
    func create() throws {
        for directory in [path, inbox, partial, watches] { try PrivateDirectory.create(directory) }
    }
}
