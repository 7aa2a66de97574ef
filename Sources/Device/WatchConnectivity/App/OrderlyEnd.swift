import Dispatch
import Foundation
import Glibc
import Processes

/// The last work of a process that ends in order: by `exit`, or by a signal that asks it to end.
enum OrderlyEnd {
    /// The signals that ask a program to end. Only those that the program itself does not handle are caught.
    private static let signals = [SIGTERM, SIGINT, SIGHUP]
    // Proof of `nonisolated(unsafe)`: each is written once, before the handler that reads it is installed.
    private nonisolated(unsafe) static var pipe: (reading: Int32, writing: Int32) = (-1, -1)
    private nonisolated(unsafe) static var work: @Sendable () -> Void = {}
    private nonisolated(unsafe) static var source: (any DispatchSourceRead)?

    /// Calls back once before the process ends. Called once per process.
    static func prepare(_ work: @escaping @Sendable () -> Void) {
        self.work = work
        atexit { OrderlyEnd.work() }
        let uncaught = signals.filter { number in
            var current = sigaction()
            return sigaction(number, nil, &current) == 0 && current.__sigaction_handler.sa_handler == nil
        }
        guard !uncaught.isEmpty, openPipe() else { return }
        readPipe(work)
        var action = sigaction()
        // A second signal ends the process at once, also when the work hangs.
        action.sa_flags = Int32(SA_RESTART) | Int32(bitPattern: UInt32(SA_RESETHAND))
        // The handler may interrupt any code, so it makes a single system call.
        action.__sigaction_handler.sa_handler = { number in
            let former = errno
            var byte = UInt8(truncatingIfNeeded: number)
            _ = Glibc.write(OrderlyEnd.pipe.writing, &byte, 1)
            errno = former
        }
        for number in uncaught { sigaction(number, &action, nil) }
    }

    private static func openPipe() -> Bool {
        var ends: [Int32] = [-1, -1]
        guard Glibc.pipe(&ends) == 0 else { return false }
        for end in ends {
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
            _ = fcntl(end, F_SETFL, O_NONBLOCK)
        }
        pipe = (ends[0], ends[1])
        return true
    }

    /// Waits for a signal on a queue, without a thread of its own.
    private static func readPipe(_ work: @escaping @Sendable () -> Void) {
        let descriptor = pipe.reading
        let source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: .global())
        source.setEventHandler {
            var number: UInt8 = 0
            guard read(descriptor, &number, 1) == 1 else { return }
            work()
            Signals.end(by: Int32(number))
        }
        source.activate()
        self.source = source
    }
}
