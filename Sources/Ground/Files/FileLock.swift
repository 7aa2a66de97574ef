import Glibc

/// A lock that one process at a time can hold, and that ends with it, however it ends.
package final class FileLock: Sendable {
    private let descriptor: Descriptor
    /// The file that is locked: the lock is worth nothing when another one stands at its path.
    package let identity: FileIdentity?

    private init(_ descriptor: consuming Descriptor) {
        identity = FileIdentity(of: descriptor)
        self.descriptor = descriptor
    }

    /// Lets others have it now, however long this object still lives.
    package func release() { flock(descriptor.number, LOCK_UN) }

    /// The lock of a file, which is made if it is not there; nil if another holds it. The file stays: removing it would let two
    /// processes lock two files of one name.
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
