import Configuration
import Files
package import Foundation

/// A device's state directory: what lies where.
package struct DeviceDirectory: Sendable {
    package let path: String

    package init(_ path: String) { self.path = path }

    package var database: String { path + "/session.sqlite" }
    package var controlSocket: String { path + "/control.sock" }
    /// Held by the process that uses the directory.
    package var lock: String { path + "/lock" }
    /// Files that are whole and not yet given to the delegate, each in a directory of its own.
    package var inbox: String { path + "/inbox" }
    /// Files that are on their way.
    package var partial: String { path + "/partial" }
    /// One directory for each watch, for the app to keep data of that watch in.
    package var watches: String { path + "/watches" }

    package func watch(_ identifier: UUID) -> String { watches + "/" + identifier.uuidString }

    /// Where the copy of a received file lies that is given a second time, on demand. Whatever a crash leaves there goes at the next start.
    package func again(_ transfer: UUID) -> String { "\(inbox)/\(transfer.uuidString)-again" }

    package func partial(_ transfer: UUID, from peer: UUID) -> String {
        "\(partial)/\(peer.uuidString)-\(transfer.uuidString)"
    }

    /// The directory of the inbox in which a received file lies.
    static func folder(of path: String) -> String { DurableDirectory(of: path).path }

    /// Makes all of it.
    package func create() throws {
        for directory in [path, inbox, partial, watches] { try PrivateDirectory.create(directory) }
    }
}
