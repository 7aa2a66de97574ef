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

    public var description: String { "\(call) \(subject): \(String(cString: strerror(code)))" }
}
