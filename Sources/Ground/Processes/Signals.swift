public import Dispatch
import Files
import Foundation
import Glibc
import Locking

/// Delivers the signals that end a program or reload a service's configuration as calls on a queue.
///
/// Signals are caught early (``hold()``), so that none is lost and none ends the process in the middle of its start:
/// the handler writes their numbers into a pipe, which a thread reads. In the services' programs they are blocked from
/// before `main` until then (CStartSignals); while the program is being loaded they end it.
public final class Signals: Sendable {
    private struct Inbox {
        var handler: (@Sendable (String) -> Void)?
        var queue = DispatchQueue.main
        /// Signals received before a handler was set.
        var waiting: [String] = []
    }

    private static let names = [SIGTERM: "SIGTERM", SIGINT: "SIGINT", SIGHUP: "SIGHUP"]
    // Proof of `nonisolated(unsafe)`: written once, by ``hold()`` before there is a second thread or a handler.
    private nonisolated(unsafe) static var pipe: (reading: Int32, writing: Int32) = (-1, -1)

    private let inbox = Mutex(Inbox())

    /// Catches the signals from now on, including those that are pending; must be called before anything else. If the
    /// pipe cannot be created, the signals keep their default action.
    public static func hold() {
        defer { unblock(names.keys) }
        // A closed connection is an error of the write, not the end of the process.
        signal(SIGPIPE, SIG_IGN)
        var ends: [Int32] = [-1, -1]
        guard Glibc.pipe(&ends) == 0 else { return }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        // Signals beyond the pipe's capacity carry no information.
        _ = fcntl(ends[1], F_SETFL, O_NONBLOCK)
        pipe = (ends[0], ends[1])
        var action = sigaction()
        action.sa_flags = Int32(SA_RESTART)
        // The handler may interrupt any code, so it makes a single system call.
        action.__sigaction_handler.sa_handler = { number in
            let former = errno
            var byte = UInt8(truncatingIfNeeded: number)
            _ = write(Signals.pipe.writing, &byte, 1)
            errno = former
        }
        for number in names.keys { sigaction(number, &action, nil) }
    }

    /// Restores the default actions, for a program that is about to end.
    public static func release() {
        for number in names.keys { signal(number, SIG_DFL) }
    }

    /// Starts the thread that reads the caught signals.
    public init() {
        let descriptor = Self.pipe.reading
        Thread.detach(named: "signals") { [self] in
            var number: UInt8 = 0
            while retryingInterrupts({ read(descriptor, &number, 1) }) == 1 {
                if let name = Self.names[Int32(number)] { received(name) }
            }
        }
    }

    /// Ends this process by a signal with its default action, so that its parent sees the real cause.
    package static func end(by name: String) {
        guard let number = names.first(where: { $0.value == name })?.key else { return }
        end(by: number)
    }

    /// Ends this process by a signal, as above.
    package static func end(by number: Int32) {
        release()
        // The threads of the dispatch library block the signals that should end a process.
        unblock([number])
        raise(number)
    }

    /// Unblocks signals on this thread and on those that it starts from now on.
    private static func unblock(_ numbers: some Sequence<Int32>) {
        var set = sigset_t()
        sigemptyset(&set)
        for number in numbers { sigaddset(&set, number) }
        pthread_sigmask(SIG_UNBLOCK, &set, nil)
    }

    /// Calls the handler with the name of each signal, and immediately for those already received.
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
            // The start hangs, for example at a configuration that cannot be read: a second signal means “now”.
            _exit(ExitCode.failure.rawValue)
        }
    }
}
