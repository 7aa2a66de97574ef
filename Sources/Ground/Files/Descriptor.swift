public import Glibc

/// The unique owner of a file descriptor, which is closed with it.
package struct Descriptor: ~Copyable {
    package let number: Int32

    package init(_ number: Int32) { self.number = number }

    /// Takes ownership of a new descriptor, or throws `errno` as a ``SystemError``.
    ///
    /// - Parameters:
    ///   - number: The result of a system call that creates a descriptor: the descriptor, or -1.
    ///   - what: The name of the object for the error.
    package init(made number: Int32, _ what: String) throws(SystemError) {
        guard number >= 0 else { throw SystemError("create", on: what) }
        self.init(number)
    }

    deinit { _ = close(number) }
}

/// Repeats a system call that a signal interrupted. Inlinable, as most calls are those of the link's loop.
@inlinable
package func retryingInterrupts<Result: BinaryInteger>(_ call: () -> Result) -> Result {
    while true {
        let result = call()
        if result != -1 || errno != EINTR { return result }
    }
}
