import CVirtualTime
import Foundation

/// The directory of one performance, in memory, which exists as long as it lasts.
///
/// Its path is decided by the seed alone, since programs see it: in their logs, and in the addresses of their sockets. So of two performances of
/// one seed one waits for the other.
struct WorldDirectory: ~Copyable {
    let path: String
    private let descriptor: Int32

    private init(path: String, descriptor: Int32) { (self.path, self.descriptor) = (path, descriptor) }

    /// Makes it, or waits until nobody else has it; what is in it is removed.
    ///
    /// - Parameters:
    ///   - base: A directory on a file system in memory.
    ///   - room: The beginning of its name: those of other rooms need not wait.
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

    /// Removes it with all that is in it.
    consuming func remove() throws(ConductorError) {
        try Self.clear(path)
        guard rmdir(path) == 0 else { throw .system("remove the directory \(path)", code: errno) }
    }

    /// Only for this user: whoever can write there could take over the programs.
    private static func make(_ path: String) throws(ConductorError) {
        guard mkdir(path, 0o700) == 0 || errno == EEXIST else {
            throw .system("make the directory \(path) (it should be in memory; another one can be given)", code: errno)
        }
    }

    private static func checkOwner(_ path: String) throws(ConductorError) {
        var status = stat()
        guard lstat(path, &status) == 0 else { throw .system("look at the directory \(path)", code: errno) }
        guard status.st_mode & S_IFMT == S_IFDIR, status.st_uid == geteuid(), status.st_mode & 0o077 == 0 else {
            throw .foreignDirectory(path)
        }
    }

    /// Waits until nobody else has the directory; the lock ends with the descriptor, so also when the process dies.
    private static func lock(_ path: String) throws(ConductorError) -> Int32 {
        while true {
            try make(path)
            let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW)
            guard descriptor >= 0 else {
                // Who had it has just removed it.
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
            // It was removed while this process waited; the one of that name is another.
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
