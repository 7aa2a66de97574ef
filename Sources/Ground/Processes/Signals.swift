public import Dispatch
import Files
import Foundation
import Glibc
import Locking

/// The signals that ask a program to end, or a service to read its configuration again, as calls on a queue.
///
/// They are caught from the first moment on (``hold()``), so that none is lost and none ends the process half-way through its
/// start: the system's handler writes their numbers into a pipe, and a thread reads it. The services' programs have them wait
/// for that from before `main` on (CStartSignals); while the system still loads the program they end it, when nothing is begun.
public final class Signals: Sendable {
    private struct Inbox {
        var handler: (@Sendable (String) -> Void)?
        var queue = DispatchQueue.main
        /// What came before there was a handler.
        var waiting: [String] = []
    }

    private static let names = [SIGTERM: "SIGTERM", SIGINT: "SIGINT", SIGHUP: "SIGHUP"]
    // Proof of `nonisolated(unsafe)`: written once, by ``hold()`` before there is a second thread or a handler.
    private nonisolated(unsafe) static var pipe: (reading: Int32, writing: Int32) = (-1, -1)

    private let inbox = Mutex(Inbox())

    /// Catches the signals from now on, and those that wait: to be called before anything else is done. Without descriptors for
    /// the pipe they keep their meaning.
    public static func hold() {
        defer { unblock(names.keys) }
        // A peer that is gone is an error of the write, not the end of the process.
        signal(SIGPIPE, SIG_IGN)
        var ends: [Int32] = [-1, -1]
        guard Glibc.pipe(&ends) == 0 else { return }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        // More signals than the pipe holds say nothing new.
        _ = fcntl(ends[1], F_SETFL, O_NONBLOCK)
        pipe = (ends[0], ends[1])
        var action = sigaction()
        action.sa_flags = Int32(SA_RESTART)
        // What runs here may interrupt anything, so it is one system call.
        action.__sigaction_handler.sa_handler = { number in
            let former = errno
            var byte = UInt8(truncatingIfNeeded: number)
            _ = write(Signals.pipe.writing, &byte, 1)
            errno = former
        }
        for number in names.keys { sigaction(number, &action, nil) }
    }

    /// Lets them do what they do to any program, for one that ends soon by itself.
    public static func release() {
        for number in names.keys { signal(number, SIG_DFL) }
    }

    /// Waits for the signals that are caught.
    public init() {
        let descriptor = Self.pipe.reading
        Thread.detach(named: "signals") { [self] in
            var number: UInt8 = 0
            while retryingInterrupts({ read(descriptor, &number, 1) }) == 1 {
                if let name = Self.names[Int32(number)] { received(name) }
            }
        }
    }

    /// Ends this process by a signal, as if nobody had caught it: whoever waits for it learns how it ended.
    package static func end(by name: String) {
        release()
        guard let number = names.first(where: { $0.value == name })?.key else { return }
        // The threads of the dispatch library block what should end a process.
        unblock([number])
        raise(number)
    }

    /// On this thread, and those that it starts from now on.
    private static func unblock(_ numbers: some Sequence<Int32>) {
        var set = sigset_t()
        sigemptyset(&set)
        for number in numbers { sigaddset(&set, number) }
        pthread_sigmask(SIG_UNBLOCK, &set, nil)
    }

    /// Calls back at each signal, with its name; at once for those that have come already.
    public func handle(on queue: DispatchQueue = .main, _ handler: @escaping @Sendable (String) -> Void) {
        let waiting = inbox.withLock { inbox in
            inbox.queue = queue
            inbox.handler = handler
            return inbox.waiting
        }
        for name in waiting { queue.async { handler(name) } }
    }

    private func received(_ name: String) {
        let (handler, queue, isRepeated) = inbox.withLock { inbox in
            let isRepeated = name != "SIGHUP" && inbox.waiting.contains { $0 != "SIGHUP" }
            if inbox.handler == nil { inbox.waiting.append(name) }
            return (inbox.handler, inbox.queue, isRepeated)
        }
        if let handler {
            queue.async { handler(name) }
        } else if isRepeated {
            // The start hangs, at a configuration that cannot be read for instance: the second signal means “now”.
            _exit(ExitCode.failure.rawValue)
        }
    }
}
