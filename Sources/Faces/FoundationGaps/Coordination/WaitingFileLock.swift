import Files
import Glibc

/// A lock on a file or a folder, for which threads and processes wait. It ends with the process that has it.
final class WaitingFileLock: Sendable {
    enum Kind {
        /// Several can have it at a time, if none has an exclusive one.
        case shared
        case exclusive

        fileprivate var operation: Int32 {
            switch self {
            case .shared: LOCK_SH
            case .exclusive: LOCK_EX
            }
        }
    }

    private let descriptor: Descriptor
    private let path: String

    /// Waits for the lock of an existing file or folder.
    init(_ path: String, _ kind: Kind) throws(SystemError) {
        let number = open(path, O_RDONLY | O_CLOEXEC)
        guard number >= 0 else { throw SystemError("open", on: path) }
        descriptor = Descriptor(number)
        self.path = path
        try become(kind)
    }

    /// Waits until the lock is of a kind. Others may have it in the meantime.
    func become(_ kind: Kind) throws(SystemError) {
        let number = descriptor.number
        guard retryingInterrupts({ flock(number, kind.operation) }) == 0 else { throw SystemError("lock", on: path) }
    }

    func release() { flock(descriptor.number, LOCK_UN) }
}
