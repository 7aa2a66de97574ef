import Glibc

/// The one owner of a file descriptor: closed when its owner is gone.
package struct Descriptor: ~Copyable {
    package let number: Int32

    package init(_ number: Int32) { self.number = number }

    /// - Parameters:
    ///   - number: What a system call returned that makes a descriptor, or -1.
    ///   - what: What it was to make.
    package init(made number: Int32, _ what: String) throws(SystemError) {
        guard number >= 0 else { throw SystemError("make", on: what) }
        self.init(number)
    }

    deinit { _ = close(number) }
}

/// Repeats a system call that a signal interrupted.
package func retryingInterrupts<Result: BinaryInteger>(_ call: () -> Result) -> Result {
    while true {
        let result = call()
        if result != -1 || errno != EINTR { return result }
    }
}
