import CLinux
import Foundation
import Glibc
import Locking

/// The signals by which a program under lint ends, and by which a thread is asked for its calls.
enum LintTraps {
    private static let names = [
        SIGILL: "SIGILL", SIGTRAP: "SIGTRAP", SIGABRT: "SIGABRT", SIGSEGV: "SIGSEGV", SIGBUS: "SIGBUS",
        SIGFPE: "SIGFPE",
    ]
    private static let question = SIGUSR2
    private static let answer = Mutex<CallStack?>(nil)

    /// The time that the report of a trap may take. 3 s: a program that trapped within the allocator would wait for
    /// itself.
    private static let reportTime: UInt32 = 3
    /// The time in which a thread tells its calls. 10 s: on a busy machine it waits for its processor; one that has ended never
    /// does.
    private static let answerTime: TimeInterval = 10

    static func install() {
        // The first use loads a library, which a handler must not.
        _ = CallStack.here
        for number in names.keys {
            handle(number) { number in
                signal(number, SIG_DFL)
                alarm(LintTraps.reportTime)
                LintRun.ofProcess?.trapped(LintTraps.names[number] ?? "signal \(number)")
                raise(number)
            }
        }
        handle(question) { _ in
            let stack = CallStack.here
            LintTraps.answer.withLock { $0 = stack }
        }
    }

    private static func handle(_ number: Int32, _ handler: @escaping @convention(c) (Int32) -> Void) {
        var action = sigaction()
        action.sa_flags = Int32(SA_RESTART)
        action.__sigaction_handler.sa_handler = handler
        sigaction(number, &action, nil)
    }

    /// Lets this thread be asked for its calls: those of the dispatch library block signals.
    static func listen() {
        var set = sigset_t()
        sigemptyset(&set)
        sigaddset(&set, question)
        pthread_sigmask(SIG_UNBLOCK, &set, nil)
    }

    /// Returns the calls of another thread; nil if it does not answer.
    static func stack(of thread: Int32) -> CallStack? {
        answer.withLock { $0 = nil }
        guard watchlink_signal_thread(thread, question) == 0 else { return nil }
        let end = Date(timeIntervalSinceNow: answerTime)
        while Date() < end {
            if let stack = answer.withLock({ $0 }) { return stack }
            Thread.sleep(forTimeInterval: 0.01)
        }
        return nil
    }
}
