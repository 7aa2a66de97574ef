import CVirtualTime
import Foundation

/// The directory of one performance. It is in memory and exists for as long as the performance lasts.
///
/// Its path depends on the seed alone, because programs see it: in their logs, and in the addresses of their sockets.
/// Performances with the same seed therefore wait for each other.
struct WorldDirectory: ~Copyable {
    let path: String
    private let descriptor: Int32

    private init(path: String, descriptor: Int32) { (self.path, self.descriptor) = (path, descriptor) }

    /// Creates the directory, or waits until it is free and then clears it.
    ///
    /// - Parameters:
    ///   - base: A directory on a file system in memory.
    ///   - room: The prefix of its name: performances with different prefixes do not wait for each other.
    static func take(base: String, room: String, seed: UInt64) throws(ConductorError) -> WorldDirectory {
        let parent = "\(base)/virtual-time-\(geteuid())"
        try make(parent)
        try checkOwner(parent)
        let digits = String(seed, radix: 16)
        let path = parent + "/" + room + String(repeating: "0", count: 16 - digits.count) + digits
        let directory = WorldDirectory(path: path, descriptor: try lock(path))
        try clear(path)
        return directory
    }

    deinit { close(descriptor) }

    /// Removes the directory and its contents.
    consuming func remove() throws(ConductorError) {
        try Self.clear(path)
        guard rmdir(path) == 0 else { throw .system("remove the directory \(path)", code: errno) }
    }

    /// Creates a directory that only this user can access: anyone who can write to it could take over the programs.
    private static func make(_ path: String) throws(ConductorError) {
        guard mkdir(path, 0o700) == 0 || errno == EEXIST else {
            throw .system("create the directory \(path) (use a directory on a file system in memory)", code: errno)
        }
    }

    private static func checkOwner(_ path: String) throws(ConductorError) {
        var status = stat()
        guard lstat(path, &status) == 0 else { throw .system("check the directory \(path)", code: errno) }
        guard status.st_mode & S_IFMT == S_IFDIR, status.st_uid == geteuid(), status.st_mode & 0o077 == 0 else {
            throw .foreignDirectory(path)
        }
    }

    /// Waits until no other process holds the directory. The lock ends with the descriptor, and so with the process.
    private static func lock(_ path: String) throws(ConductorError) -> Int32 {
        while true {
            try make(path)
            let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW)
            guard descriptor >= 0 else {
                // The previous holder has just removed it.
                if errno == ENOENT { continue }
                throw .system("open the directory \(path)", code: errno)
            }
            while flock(descriptor, LOCK_EX) != 0 {
                guard errno == EINTR else {
                    let code = errno
                    close(descriptor)
                    throw .system("lock the directory \(path)", code: code)
                }
            }
            var (locked, named) = (stat(), stat())
            if fstat(descriptor, &locked) == 0, lstat(path, &named) == 0, locked.st_ino == named.st_ino {
                return descriptor
            }
            // It was removed while this process waited; the name now belongs to another directory.
            close(descriptor)
        }
    }

    private static func clear(_ path: String) throws(ConductorError) {
        do {
            for name in try FileManager.default.contentsOfDirectory(atPath: path) {
                try FileManager.default.removeItem(atPath: path + "/" + name)
            }
        } catch {
            throw .directory(path, error.localizedDescription)
        }
    }
}
