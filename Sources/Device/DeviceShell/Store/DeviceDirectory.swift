import Configuration
import Files
package import Foundation

/// The layout of a device's state directory.
package struct DeviceDirectory: Sendable {
    package let path: String

    package init(_ path: String) { self.path = path }

    package var database: String { path + "/session.sqlite" }
    package var controlSocket: String { path + "/control.sock" }
    /// Locked by the process that uses the directory.
    package var lock: String { path + "/lock" }
    /// Complete files that wait for the delegate, each in its own directory.
    package var inbox: String { path + "/inbox" }
    /// Partial files.
    package var partial: String { path + "/partial" }
    /// One directory per watch, for the app's data of that watch.
    package var watches: String { path + "/watches" }

    package func watch(_ identifier: UUID) -> String { watches + "/" + identifier.uuidString }

    /// Returns the path of a received file's copy that a fault delivers a second time. Copies left by a crash are
    /// removed at the next start.
    package func again(_ transfer: UUID) -> String { "\(inbox)/\(transfer.uuidString)-again" }

    package func partial(_ transfer: UUID, from peer: UUID) -> String {
        "\(partial)/\(peer.uuidString)-\(transfer.uuidString)"
    }

    /// Returns the inbox directory that contains a received file.
    static func folder(of path: String) -> String { DurableDirectory(of: path).path }

    /// Creates all directories.
    package func create() throws {
        for directory in [path, inbox, partial, watches] { try PrivateDirectory.create(directory) }
    }
}
