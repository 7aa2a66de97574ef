import Glibc
import Locking

/// Standard output with error checking; every program prints through it.
package enum StandardOutput {
    /// The error of a failed write; nothing more can be printed.
    package struct Failure: Error, Equatable, Sendable, CustomStringConvertible {
        package let code: Int32

        /// True if the reader is gone, as with `| head`.
        package var isClosedPipe: Bool { code == EPIPE }
        package var description: String { "standard output cannot be written: \(String(cString: strerror(code)))" }
    }

    /// The bytes that are written together. 64 KiB: the capacity of a pipe.
    private static let portion = 64 * 1_024

    private struct State {
        var waiting: [UInt8] = []
        /// The first failure; nothing is written after a gap.
        var failure: Failure?
    }

    private static let state = Mutex(State())
    /// True for a terminal, where each line is written immediately.
    private static let isTerminal = isatty(STDOUT_FILENO) == 1

    /// Prints a text and its terminator. The text may be buffered until ``flush()``.
    package static func print(_ text: String, terminator: String = "\n") throws(Failure) {
        try state.withLock { state throws(Failure) in
            state.waiting += text.utf8
            state.waiting += terminator.utf8
            guard isTerminal || state.waiting.count >= portion else { return }
            try write(&state)
        }
    }

    /// Writes all buffered text.
    package static func flush() throws(Failure) {
        try state.withLock { state throws(Failure) in try write(&state) }
    }

    /// Prints a line immediately from a place that cannot throw: a failure is thrown by the next
    /// ``print(_:terminator:)`` or
    /// ``flush()``.
    package static func report(_ line: String) {
        state.withLock { state in
            state.waiting += line.utf8
            state.waiting.append(UInt8(ascii: "\n"))
            do throws(Failure) { try write(&state) } catch { state.failure = error }
        }
    }

    private static func write(_ state: inout State) throws(Failure) {
        let bytes = state.waiting
        state.waiting = []
        if let failure = state.failure { throw failure }
        var sent = 0
        while sent < bytes.count {
            let count = bytes[sent...].withUnsafeBytes { Glibc.write(STDOUT_FILENO, $0.baseAddress, $0.count) }
            if count > 0 {
                sent += count
            } else if errno == EAGAIN {
                // Another process made this terminal or pipe non-blocking.
                var output = pollfd(fd: STDOUT_FILENO, events: Int16(POLLOUT), revents: 0)
                poll(&output, 1, -1)
            } else if errno != EINTR {
                let failure = Failure(code: errno)
                state.failure = failure
                throw failure
            }
        }
    }
}
