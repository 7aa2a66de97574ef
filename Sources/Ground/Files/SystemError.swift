import Glibc

/// A failed system call: the operation, its object and the cause.
public struct SystemError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The operation, as a verb before the subject: “open”, “write to”.
    public let call: String
    /// The object of the operation: a path as a rule.
    public let subject: String
    /// The error number (`errno`).
    public let code: Int32

    /// Creates an error.
    ///
    /// - Parameter code: The error number; nil for the current `errno` of the thread.
    public init(_ call: String, on subject: String, code: Int32? = nil) {
        self.call = call
        self.subject = subject
        self.code = code ?? errno
    }

    /// True if a retry may succeed later, when space was freed or the disk works again.
    package var isTemporary: Bool {
        switch code {
        case ENOSPC, EDQUOT, EIO, EROFS, EMFILE, ENFILE, ENOMEM, ENOBUFS, EAGAIN, EINTR, EBUSY, ESTALE, ETIMEDOUT: true
        default: false
        }
    }

    public var description: String { "\(call) \(subject): \(cause)" }

    /// The system's error message without the subject: a counterpart need not know the paths of this side.
    package var cause: String { String(cString: strerror(code)) }
}
