import Foundation
import Glibc

/// A directory whose content is one user's own business.
public enum PrivateDirectory {
    /// Others could read or change what is their owner's alone.
    public struct Exposed: Error, CustomStringConvertible, Equatable {
        public let path: String
        public let reason: String
        public let remedy: String
        public var description: String { "\(path) \(reason): \(remedy)" }
    }

    /// Makes a directory, for its owner alone, if it is not there.
    public static func create(_ path: String) throws {
        try FileManager.default.createDirectory(
            atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    }

    /// What lets others in: nothing if directories and files are their owner's alone. What does not exist is no danger.
    ///
    /// - Parameter passable: Directories that others may pass through, not list: they reach a socket whose name they know, and
    ///   everything in there says for itself whom it lets in.
    public static func exposures(passable: [String], directories: [String], files: [String]) -> [Exposed] {
        passable.compactMap { check($0, 0o711) } + directories.compactMap { check($0, 0o700) }
            + files.compactMap { check($0, 0o600) }
    }

    private static func check(_ path: String, _ widest: mode_t) -> Exposed? {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        guard status.st_uid == geteuid() || geteuid() == 0 else {
            return Exposed(
                path: path, reason: "belongs to user \(status.st_uid)",
                remedy: "use a directory of your own, or chown it")
        }
        let mode = status.st_mode & 0o777
        guard mode & ~widest != 0 else { return nil }
        return Exposed(
            path: path, reason: "has mode 0\(String(mode, radix: 8)), which lets others in",
            remedy: "chmod 0\(String(mode & widest, radix: 8)) \(path)")
    }
}
