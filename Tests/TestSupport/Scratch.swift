import Foundation

/// A directory of its own for one test, removed afterwards. Its path is short, as those of sockets must be.
package final class Scratch: Sendable {
    package let path = FileManager.default.temporaryDirectory.appending(path: "wl-\(UUID().uuidString.prefix(8))")
        .path()

    package init() throws {
        try FileManager.default.createDirectory(
            atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    package func path(_ name: String) -> String { path + "/" + name }

    /// Writes a file and returns its path.
    package func write(_ name: String, _ text: String) throws -> String {
        try Data(text.utf8).write(to: URL(filePath: path(name)))
        return path(name)
    }
}
