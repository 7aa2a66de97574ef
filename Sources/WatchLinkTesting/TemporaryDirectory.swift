import Foundation

/// A directory for one test, removed afterwards. Its path is short, as those of sockets must be.
final class TemporaryDirectory: Sendable {
    let url: URL

    init() throws {
        url = FileManager.default.temporaryDirectory.appending(path: "wlt-\(UUID().uuidString.prefix(8))")
        try FileManager.default.createDirectory(
            at: url, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    }

    // A directory that cannot be removed is the system's to clean.
    deinit { try? FileManager.default.removeItem(at: url) }
}
