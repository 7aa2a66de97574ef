package import Glibc

/// A path that this process listens at, and nobody else: claimed with a lock, so that a socket file that a dead process left
/// behind is told from one that is served.
package final class SocketFile: Sendable {
    package enum ClaimError: Error, Equatable, CustomStringConvertible {
        /// Somebody serves this socket.
        case inUse(path: String)
        /// Something that is no socket stands at the path.
        case notSocket(path: String)
        case system(SystemError)

        package var description: String {
            switch self {
            case .inUse(let path):
                "\(path) is served by another process: stop it first, or choose another --state-directory"
            case .notSocket(let path): "\(path) exists and is no socket: move it away"
            case .system(let error): "\(error)"
            }
        }
    }

    package let path: String
    package let descriptor: Descriptor
    /// Whether a dead process's socket stood at the path.
    package let replacedStale: Bool
    private let lock: Descriptor

    /// - Parameter mode: The socket file's permissions.
    package init(claiming path: String, mode: mode_t) throws(ClaimError) {
        lock = try Self.lock(path + ".lock")
        self.path = path
        replacedStale = try Self.removeStale(path)
        do {
            descriptor = try UnixSocket.listen(at: path, mode: mode)
        } catch {
            throw .system(error)
        }
    }

    /// Removes the socket. The lock's file stays: removing it would let two processes lock two files of one name.
    package func remove() { _ = unlink(path) }

    private static func lock(_ path: String) throws(ClaimError) -> Descriptor {
        let number = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard number >= 0 else { throw .system(SystemError("open", on: path)) }
        let descriptor = Descriptor(number)
        let result = retryingInterrupts { flock(number, LOCK_EX | LOCK_NB) }
        guard result == 0 else {
            throw errno == EWOULDBLOCK
                ? .inUse(path: String(path.dropLast(".lock".count))) : .system(SystemError("lock", on: path))
        }
        return descriptor
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
