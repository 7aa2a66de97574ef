package import Files
import Glibc

/// A path at which only this process listens. A lock distinguishes the socket file of a dead process from one in use.
package final class SocketFile: Sendable {
    package enum ClaimError: Error, Equatable, CustomStringConvertible {
        /// Another process serves this socket.
        case inUse(path: String)
        /// The path exists and is not a socket.
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
    /// True if a dead process's socket was at the path.
    package let replacedStale: Bool
    /// True if a service manager owns the socket: it then outlives this process.
    private let isInherited: Bool
    private let lock: FileLock
    /// The file at the path when it was claimed; nil if there was none.
    private let identity: FileIdentity?

    /// Claims a path and listens there.
    ///
    /// - Parameter mode: The permissions of the socket file.
    package convenience init(claiming path: String, mode: UInt32) throws(ClaimError) {
        try self.init(path, mode, lock: nil)
    }

    /// Claims a path and listens there.
    ///
    /// - Parameter lock: The lock of the path if this process already holds it.
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
            // The manager does not know whom the configuration admits.
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

    /// True if socket and lock are still in place. Otherwise clients cannot find this process, or another one could
    /// claim the path.
    package var isInPlace: Bool { identity != nil && FileIdentity(of: path) == identity && isLockInPlace }

    private var isLockInPlace: Bool { lock.identity == FileIdentity(of: path + ".lock") }

    /// Claims the same path again.
    package func renewed(mode: UInt32) throws(ClaimError) -> SocketFile {
        // If only the lock was removed, this process's own socket occupies the path.
        if FileIdentity(of: path) == identity { _ = unlink(path) }
        return try SocketFile(path, mode, lock: isLockInPlace ? lock : nil)
    }

    /// Removes the socket. The lock file is kept: removing it could let two processes lock two files with one name.
    package func remove() {
        // A file that another process has created there in the meantime is kept.
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
        // A server that does not use the lock would still answer.
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
