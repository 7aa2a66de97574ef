import Files
import Foundation
public import Glibc
import Words

/// A directory whose content is one user's own business.
public enum PrivateDirectory {
    /// Others could read or change what is their owner's alone.
    public struct Exposed: Error, CustomStringConvertible, Equatable {
        public let path: String
        public let reason: String
        /// What to do about it, in words.
        public let remedy: String
        /// The command that does it; nil if there is none that is safe.
        public let command: String?

        init(path: String, reason: String, remedy: String, command: String? = nil) {
            self.path = path
            self.reason = reason
            self.remedy = remedy
            self.command = command
        }

        public var description: String { "\(path) \(reason): \(remedy)\(command.map { ": \($0)" } ?? "")" }
    }

    /// Makes a directory, for its owner alone and durably, if it is not there.
    ///
    /// - Parameter withParents: Whether those above it that are missing are made, too.
    /// - Throws: ``Exposed`` if one is there that belongs to another user.
    public static func create(_ path: String, withParents: Bool = true) throws {
        if let exposed = foreign(path, geteuid()) { throw exposed }
        try DurableDirectory(path).create(withParents: withParents)
    }

    /// What lets others in: nothing if directories and files are their owner's alone, and nobody else can put others in their
    /// place. What does not exist is no danger.
    ///
    /// - Parameters:
    ///   - passable: Directories that others may pass through, not list: they reach a socket whose name they know, and everything
    ///     in there says for itself whom it lets in.
    ///   - owner: The user whose they must be; left out, the one of this process. Root is no exception: what it made in another's
    ///     directory that other could replace, and could not use.
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
                remedy: "name another path in the configuration")
        }
        let mode = status.st_mode & 0o777
        guard mode & ~widest != 0 else { return nil }
        let reason = "has mode 0\(String(mode, radix: 8)), which lets others in"
        // Directories that everybody needs, or that hold more than ours, are not to be closed.
        guard !isShared(path, status) else {
            return Exposed(path: path, reason: reason, remedy: "name a directory that is for WatchLink alone")
        }
        return Exposed(
            path: path, reason: reason, remedy: "make it its owner's alone",
            command: "chmod 0\(String(mode & widest, radix: 8)) \(ShellText.quoted(path))")
    }

    /// Whether a directory is the system's, everybody's, or a person's whole home.
    private static func isShared(_ path: String, _ status: stat) -> Bool {
        guard status.st_mode & S_IFMT == S_IFDIR else { return false }
        let whole = URL(filePath: path).standardizedFileURL.pathComponents
        let home = URL(filePath: UserDirectory.home()).standardizedFileURL.pathComponents
        return whole.count <= 2 || status.st_mode & S_ISVTX != 0 || whole == home
    }

    /// What belongs to another user, or is a link that another user made.
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

    /// A directory above that lets others put something else in this one's place. The sticky bit, as of /tmp, prevents it.
    private static func replaceable(_ path: String) -> Exposed? {
        var folder = URL(filePath: path).resolvingSymlinksInPath().deletingLastPathComponent()
        while true {
            var status = stat()
            if stat(folder.path(percentEncoded: false), &status) == 0, status.st_mode & S_ISVTX == 0 {
                // A group of the user alone, as many systems give everyone, lets nobody else in; this one's is taken for such.
                let othersBits: mode_t = status.st_gid == getegid() || status.st_gid == 0 ? 0o002 : 0o022
                if status.st_mode & othersBits != 0 {
                    let mode = status.st_mode & 0o777
                    return Exposed(
                        path: path,
                        reason:
                            "can be replaced by others: \(folder.path(percentEncoded: false)) has mode 0\(String(mode, radix: 8))",
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
