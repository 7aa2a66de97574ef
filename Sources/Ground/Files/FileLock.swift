import Dispatch
import Glibc

/// A file lock that one process can hold at a time; it is released when the process ends, however it ends.
package final class FileLock: Sendable {
    /// The time for which ``claimSoon(_:)`` waits. 1 s: the system takes some milliseconds to tear down a process that was
    /// killed, and a loaded machine more; a process that lives is waited for in vain.
    private static let patience: DispatchTimeInterval = .seconds(1)
    /// The microseconds between two attempts. 5 ms: nothing tells of a release, and few attempts are needed.
    private static let pause: UInt32 = 5_000

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

    /// Locks a file as ``claim(_:)`` does, and waits for a moment if another process holds the lock: one that was killed
    /// holds it until the system has torn it down.
    package static func claimSoon(_ path: String) throws(SystemError) -> FileLock? {
        let deadline = DispatchTime.now() + patience
        while true {
            if let lock = try claim(path) { return lock }
            guard DispatchTime.now() < deadline else { return nil }
            usleep(pause)
        }
    }
}
