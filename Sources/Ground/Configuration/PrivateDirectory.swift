import Files
import Foundation
public import Glibc
import Words

/// Checks for directories whose content is private to one user.
public enum PrivateDirectory {
    /// A private file or directory that other users could read or change.
    public struct Exposed: Error, CustomStringConvertible, Equatable {
        /// The path of the file or directory.
        public let path: String
        /// The problem, as a predicate of the path: “has mode 0755, …”.
        public let reason: String
        /// The remedy, in words.
        public let remedy: String
        /// A command that applies the remedy; nil if no safe one exists.
        public let command: String?

        init(path: String, reason: String, remedy: String, command: String? = nil) {
            self.path = path
            self.reason = reason
            self.remedy = remedy
            self.command = command
        }

        public var description: String { "\(path) \(reason): \(remedy)\(command.map { ": \($0)" } ?? "")" }
    }

    /// Creates a directory with mode 0700, durably, if it does not exist.
    ///
    /// - Parameter withParents: True to create missing parent directories, too.
    /// - Throws: ``Exposed`` if the path belongs to another user, or a ``SystemError``.
    public static func create(_ path: String, withParents: Bool = true) throws {
        if let exposed = foreign(path, geteuid()) { throw exposed }
        try DurableDirectory(path).create(withParents: withParents)
    }

    /// Returns every exposure to other users: none if the directories and files are private and nobody else can replace
    /// them. Missing files are not exposures.
    ///
    /// - Parameters:
    ///   - passable: Directories that others may traverse but not list: they can reach a socket whose name they know,
    ///     and everything inside has its own permissions.
    ///   - directories: Directories that only their owner may access.
    ///   - files: Files that only their owner may access.
    ///   - owner: The required owner; by default the user of this process. Root is no exception: the other user could
    ///     replace what root created in that user's directory, and could not use it.
    public static func exposures(
        passable: [String], directories: [String], files: [String], owner: UInt32 = geteuid()
    ) -> [Exposed] {
        passable.compactMap { check($0, S_IFDIR, 0o711, owner) }
            + directories.compactMap { check($0, S_IFDIR, 0o700, owner) }
            + files.compactMap { check($0, S_IFREG, 0o600, owner) }
            + ((passable + directories).first.flatMap { replaceable($0) }.map { [$0] } ?? [])
    }

    private static func check(_ path: String, _ kind: mode_t, _ widest: mode_t, _ owner: UInt32) -> Exposed? {
        if let foreign = foreign(path, owner) { return foreign }
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        guard status.st_mode & S_IFMT == kind else {
            return Exposed(
                path: path, reason: kind == S_IFDIR ? "is not a directory" : "is not a regular file",
                remedy: "use another path in the configuration")
        }
        let mode = status.st_mode & 0o777
        guard mode & ~widest != 0 else { return nil }
        let reason = "has mode 0\(String(mode, radix: 8)), which gives other users access"
        // Shared directories, or those with other content than ours, must not be made private.
        guard !isShared(path, status) else {
            return Exposed(path: path, reason: reason, remedy: "use a directory that is for WatchLink alone")
        }
        return Exposed(
            path: path, reason: reason, remedy: "make it private to its owner",
            command: "chmod 0\(String(mode & widest, radix: 8)) \(ShellText.quoted(path))")
    }

    /// Returns true for a directory of the system, of all users, or for a user's home directory.
    private static func isShared(_ path: String, _ status: stat) -> Bool {
        guard status.st_mode & S_IFMT == S_IFDIR else { return false }
        let whole = URL(filePath: path).standardizedFileURL.pathComponents
        let home = URL(filePath: UserDirectory.home()).standardizedFileURL.pathComponents
        return whole.count <= 2 || status.st_mode & S_ISVTX != 0 || whole == home
    }

    /// Returns an exposure if the path belongs to another user, or is a link that another user created.
    private static func foreign(_ path: String, _ owner: UInt32) -> Exposed? {
        var (link, target) = (stat(), stat())
        guard lstat(path, &link) == 0 else { return nil }
        if link.st_mode & S_IFMT == S_IFLNK, link.st_uid != owner, link.st_uid != 0 {
            return Exposed(
                path: path, reason: "is a symbolic link of user \(link.st_uid)", remedy: "use a directory of your own")
        }
        guard stat(path, &target) == 0, target.st_uid != owner else { return nil }
        return Exposed(
            path: path, reason: "belongs to user \(target.st_uid), not to user \(owner)",
            remedy: "run as that user, or use a directory of your own")
    }

    /// Returns an exposure if a directory above lets other users replace this one. A sticky bit, as of /tmp, prevents
    /// it.
    private static func replaceable(_ path: String) -> Exposed? {
        var folder = URL(filePath: path).resolvingSymlinksInPath().deletingLastPathComponent()
        while true {
            var status = stat()
            if stat(folder.path(percentEncoded: false), &status) == 0, status.st_mode & S_ISVTX == 0 {
                // Many systems give each user a private group, which exposes nothing; this process's group is assumed
                // private.
                let othersBits: mode_t = status.st_gid == getegid() || status.st_gid == 0 ? 0o002 : 0o022
                if status.st_mode & othersBits != 0 {
                    let mode = status.st_mode & 0o777
                    return Exposed(
                        path: path,
                        reason:
                            "can be replaced by other users: \(folder.path(percentEncoded: false)) has mode 0\(String(mode, radix: 8))",
                        remedy:
                            "use a directory elsewhere, or chmod 0\(String(mode & ~othersBits, radix: 8)) \(folder.path(percentEncoded: false))"
                    )
                }
            }
            guard folder.path(percentEncoded: false) != "/" else { return nil }
            folder = folder.deletingLastPathComponent()
        }
    }
}
