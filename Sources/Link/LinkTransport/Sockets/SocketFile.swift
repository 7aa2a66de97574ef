package import Files
import Glibc

/// A path that this process listens at, and nobody else: claimed with a lock, so that a socket file that a dead process left
/// behind is told from one that is served.
package final class SocketFile: Sendable {
    package enum ClaimError: Error, Equatable, CustomStringConvertible {
        /// Somebody serves this socket.
        case inUse(path: String)
        /// Something that is not a socket stands at the path.
        case notSocket(path: String)
        case system(SystemError)

        package var description: String {
            switch self {
            case .inUse(let path):
                "\(path) is served by another process: stop it first, or choose another --state-directory"
            case .notSocket(let path): "\(path) exists and is not a socket: move it away"
            case .system(let error): "\(error)"
            }
        }
    }

    package let path: String
    package let descriptor: Descriptor
    /// Whether a dead process's socket stood at the path.
    package let replacedStale: Bool
    /// Whether a service manager holds the socket: it stays when this process goes.
    private let isInherited: Bool
    private let lock: FileLock
    /// What stood at the path when it was claimed; nil if nothing did.
    private let identity: FileIdentity?

    /// - Parameter mode: The socket file's permissions.
    package convenience init(claiming path: String, mode: UInt32) throws(ClaimError) {
        try self.init(path, mode, lock: nil)
    }

    /// - Parameter lock: The path's, if this process has it already.
    private init(_ path: String, _ mode: UInt32, lock: FileLock?) throws(ClaimError) {
        if let lock {
            self.lock = lock
        } else {
            guard let lock = try Self.lock(path + ".lock") else { throw .inUse(path: path) }
            self.lock = lock
        }
        self.path = path
        if let number = InheritedSockets.process.take(path) {
            descriptor = Descriptor(number)
            // Its manager does not know whom the configuration lets in.
            guard chmod(path, mode) == 0 else { throw .system(SystemError("chmod", on: path)) }
            isInherited = true
            replacedStale = false
        } else {
            isInherited = false
            replacedStale = try Self.removeStale(path)
            do {
                descriptor = try UnixSocket.listen(at: path, mode: mode)
            } catch {
                throw .system(error)
            }
        }
        identity = FileIdentity(of: path)
    }

    /// Whether socket and lock still stand where they were made. If not nobody finds this process, or a second one could take the
    /// path.
    package var isInPlace: Bool { identity != nil && FileIdentity(of: path) == identity && isLockInPlace }

    private var isLockInPlace: Bool { lock.identity == FileIdentity(of: path + ".lock") }

    /// The same path, claimed anew.
    package func renewed(mode: UInt32) throws(ClaimError) -> SocketFile {
        // With the lock alone gone, this process's own socket is in the way.
        if FileIdentity(of: path) == identity { _ = unlink(path) }
        return try SocketFile(path, mode, lock: isLockInPlace ? lock : nil)
    }

    /// Removes the socket. The lock's file stays: removing it would let two processes lock two files of one name.
    package func remove() {
        // What another process has put there meanwhile is not this one's to remove.
        if !isInherited, FileIdentity(of: path) == identity { _ = unlink(path) }
        lock.release()
    }

    private static func lock(_ path: String) throws(ClaimError) -> FileLock? {
        do {
            return try FileLock.claim(path)
        } catch {
            throw .system(error)
        }
    }

    private static func removeStale(_ path: String) throws(ClaimError) -> Bool {
        var status = stat()
        guard lstat(path, &status) == 0 else { return false }
        guard status.st_mode & S_IFMT == S_IFSOCK else { throw .notSocket(path: path) }
        // A server that knows nothing of the lock would still answer.
        guard try isRefused(path) else { throw .inUse(path: path) }
        guard unlink(path) == 0 else { throw .system(SystemError("remove", on: path)) }
        return true
    }

    private static func isRefused(_ path: String) throws(ClaimError) -> Bool {
        do {
            _ = try UnixSocket.connect(to: path, blocking: false)
            return false
        } catch {
            guard error.code == ECONNREFUSED else { throw .system(error) }
            return true
        }
    }
}
