import CLinux
import DeviceShell
import Foundation
import Glibc
import LinkProtocol
import Locking

/// A run of a program under `watchlink lint`. It reports what the application's code does on the session's queue, and
/// ends the program when nothing happens any more.
package final class LintRun: Sendable {
    /// The occasions of the application's calls.
    package enum Kind: String, CaseIterable, Sendable {
        /// A counterpart answers every message.
        case answered
        /// Every message and transfer fails.
        case failing
        /// There is no counterpart; each method of the delegate is called with synthetic content.
        case called
    }

    /// The environment variable with the kind of run.
    package static let variable = "WATCHLINK_LINT"
    /// The environment variable with the methods that are not called, separated by semicolons: they ended an earlier
    /// run.
    package static let skippedVariable = "WATCHLINK_LINT_SKIPPED"

    /// The time after which a call of the application's code counts as blocked for ever. 5 s: the session itself gives
    /// a hint after so long.
    package static let patience: TimeInterval = 5
    /// The time without any event after which a run is complete. 1 s: an answer takes milliseconds.
    package static let quietTime: TimeInterval = 1
    /// The pause between two synthetic calls. 40 ms: the tasks that a call starts begin in the meantime.
    package static let pause: TimeInterval = 0.04
    /// The longest run. 12 s: longer than a blocked call after some seconds of work.
    package static let longest: TimeInterval = 12
    /// The most failed checks that one run reports. 200: a loop repeats the same ones.
    private static let mostFailures = 200

    /// The run of this process; nil in every other program.
    static let ofProcess: LintRun? = {
        let environment = ProcessInfo.processInfo.environment
        guard let kind = environment[variable].flatMap(Kind.init(rawValue:)) else { return nil }
        let skipped = environment[skippedVariable]?.split(separator: ";").map(String.init) ?? []
        let run = LintRun(kind, skipping: Set(skipped))
        run.begin()
        return run
    }()

    /// The delegate's methods, as clients spell them.
    package static let delegateMethods = DelegateMethod.ofDelegate.map(\.rawValue)

    private struct State {
        var lastEvent = Date()
        var call: (method: String, start: Date, thread: Int32)?
        var core: SessionCore?
        var isLinked = false
        var failures = 0
    }

    private let kind: Kind
    private let skipped: Set<String>
    private let start = Date()
    private let state = Mutex(State())

    private init(_ kind: Kind, skipping skipped: Set<String>) {
        self.kind = kind
        self.skipped = skipped
    }

    private func begin() {
        LintTraps.install()
        if !IsolationHook.install() {
            let reason = "this Swift runtime has no hook for checks of isolation: the first that fails ends the run"
            tell(LintReport(.hint, detail: reason))
        }
        Thread.detachNewThread { [self] in watch() }
    }

    // MARK: - Events

    func noteActivity() { state.withLock { $0.lastEvent = Date() } }

    func took(_ delegate: any WCSessionDelegate) {
        let conformance = DelegateConformance(delegate)
        guard conformance.isIsolated else { return }
        tell(
            LintReport(
                .conformance, detail: String(reflecting: type(of: delegate)),
                stack: CallStack(addresses: [conformance.firstMethod])))
    }

    func activated(_ core: SessionCore) {
        let isFirst = state.withLock { state in
            state.lastEvent = Date()
            defer { state.core = state.core ?? core }
            return state.core == nil
        }
        if isFirst { tell(LintReport(.activated)) }
    }

    func linked() {
        let isFirst = state.withLock { state in
            state.lastEvent = Date()
            defer { state.isLinked = true }
            return !state.isLinked
        }
        if isFirst { tell(LintReport(.linked)) }
    }

    func began(_ method: DelegateMethod) {
        let thread = watchlink_thread()
        LintTraps.listen()
        state.withLock { $0.call = (method.rawValue, Date(), thread) }
        tell(LintReport(.began, subject: method.rawValue))
    }

    /// - Parameter isImplemented: False if the delegate is known to lack the method.
    func returned(_ method: DelegateMethod, isImplemented: Bool) {
        state.withLock { state in
            state.call = nil
            state.lastEvent = Date()
        }
        tell(LintReport(.returned, subject: method.rawValue, detail: isImplemented ? nil : "not implemented"))
    }

    func gave(_ hint: Hint) {
        // The run finds such calls itself.
        guard hint != .methodBlocked else { return }
        tell(LintReport(.hint, subject: hint.rawValue, detail: hint.advice))
    }

    /// Reports code that is isolated to an actor and runs elsewhere.
    func isolationFailed(_ actor: String) {
        let (method, isReported) = state.withLock { state in
            state.failures += 1
            let isCalling = state.call?.thread == watchlink_thread()
            return (isCalling ? state.call?.method : nil, state.failures <= Self.mostFailures)
        }
        guard isReported else { return }
        tell(LintReport(.isolation, subject: method, detail: actor, stack: .here))
    }

    /// Reports the signal that ends the program. Called by the signal's handler.
    func trapped(_ signal: String) {
        // The lock may be held by the thread that trapped.
        tell(LintReport(.trap, detail: signal, stack: .here))
    }

    func tell(_ report: LintReport) {
        do {
            let line = try report.line
            // One call, so that lines of several threads do not mix.
            _ = line.withCString { write(STDERR_FILENO, $0, strlen($0)) }
        } catch {
            FileHandle.standardError.write(Data("watchlink lint: \(error)\n".utf8))
        }
    }

    // MARK: - The course of the run

    private func watch() {
        var calls: ArraySlice<SyntheticCall>?
        while true {
            Thread.sleep(forTimeInterval: Self.pause / 2)
            let (call, core, isLinked, last, now) = state.withLock {
                ($0.call, $0.core, $0.isLinked, $0.lastEvent, Date())
            }
            if let call {
                if now.timeIntervalSince(call.start) > Self.patience { reportBlocked(call.method, call.thread) }
                continue
            }
            if now.timeIntervalSince(start) > Self.longest {
                finish(core == nil ? "the session was never activated" : "the longest time has passed")
            }
            guard let core, isLinked || kind == .called else { continue }
            let rest = now.timeIntervalSince(last)
            if kind == .called, rest >= Self.pause {
                // The first call waits for what the application does when its session is activated.
                if calls == nil, rest >= Self.quietTime / 2 {
                    calls = SyntheticCall.all(core.role ?? .host).filter { !skipped.contains($0.method.rawValue) }[...]
                }
                if let call = calls?.popFirst() {
                    perform(call, core)
                    continue
                }
            }
            let isBusy = core.outstanding.value > 0 && rest < Self.patience
            if rest >= Self.quietTime, !isBusy { finish("nothing happens any more") }
        }
    }

    private func perform(_ call: SyntheticCall, _ core: SessionCore) {
        noteActivity()
        core.queue.enqueue { [self] in
            noteActivity()
            guard let session = core.ownerSession, let delegate = core.delegate else { return }
            core.calling(call.method) { call.perform(session, delegate) }
        }
    }

    private func reportBlocked(_ method: String, _ thread: Int32) {
        let stack = LintTraps.stack(of: thread)
        let mainStack = LintTraps.stack(of: getpid())
        tell(LintReport(.blocked, subject: method, stack: stack, mainStack: mainStack))
        _exit(0)
    }

    private func finish(_ reason: String) {
        tell(LintReport(.finished, detail: reason))
        _exit(0)
    }
}
