import Foundation

/// A directory for the sockets and databases of one run, removed at its end.
final class BenchFolder {
    let path: String
    private var number = 0

    /// Short, as the paths of sockets must be; on the disk that temporary files lie on.
    init() throws {
        path = FileManager.default.temporaryDirectory.appending(path: "wlb-\(UUID().uuidString.prefix(8))").path()
        try FileManager.default.createDirectory(
            atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    }

    /// A path that nothing stands at.
    func socket(_ name: String) throws -> String {
        number += 1
        return "\(path)/\(name)-\(number)"
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }
}
