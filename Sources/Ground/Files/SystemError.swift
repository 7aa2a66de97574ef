import Glibc

/// A system call that failed: which one, on what, and why.
public struct SystemError: Error, Equatable, Sendable, CustomStringConvertible {
    public let call: String
    public let subject: String
    /// The value of `errno`.
    public let code: Int32

    /// - Parameter code: Left out, the thread's `errno` as it is now.
    public init(_ call: String, on subject: String, code: Int32? = nil) {
        self.call = call
        self.subject = subject
        self.code = code ?? errno
    }

    /// Whether the same may succeed later, when others have made room or the disk is well again.
    package var isTemporary: Bool {
        switch code {
        case ENOSPC, EDQUOT, EIO, EROFS, EMFILE, ENFILE, ENOMEM, ENOBUFS, EAGAIN, EINTR, EBUSY, ESTALE, ETIMEDOUT: true
        default: false
        }
    }

    public var description: String { "\(call) \(subject): \(cause)" }

    /// The system's own words, without what they are about: a counterpart need not know the paths of this side.
    package var cause: String { String(cString: strerror(code)) }
}
