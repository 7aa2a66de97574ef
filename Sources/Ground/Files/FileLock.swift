import Glibc

/// A file lock that one process can hold at a time; it is released when the process ends, however it ends.
package final class FileLock: Sendable {
    private let descriptor: Descriptor
    /// The identity of the locked file: the lock is void if another file is at its path.
    package let identity: FileIdentity?

    private init(_ descriptor: consuming Descriptor) {
        identity = FileIdentity(of: descriptor)
        self.descriptor = descriptor
    }

    /// Releases the lock before this object is deinitialised.
    package func release() { flock(descriptor.number, LOCK_UN) }

    /// Locks a file, which is created if necessary; returns nil if another process holds the lock. The file is never
    /// removed, as two processes could then lock two files of one name.
    package static func claim(_ path: String) throws(SystemError) -> FileLock? {
        let number = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard number >= 0 else { throw SystemError("open", on: path) }
        let descriptor = Descriptor(number)
        guard retryingInterrupts({ flock(number, LOCK_EX | LOCK_NB) }) == 0 else {
            guard errno == EWOULDBLOCK else { throw SystemError("lock", on: path) }
            return nil
        }
        return FileLock(descriptor)
    }
}
