import DeviceShell
import EventLog
import Glibc
import Locking

/// A log of hints, which gives each hint once per session, unless it repeats.
final class HintBoard: Sendable {
    private let logger: Logger
    /// The hints that are failures.
    private let failing: Set<Hint>
    private let given = Mutex<Set<Hint>>([])

    init(_ logger: Logger, failing: Set<Hint> = []) {
        self.logger = logger
        self.failing = failing
    }

    /// - Parameter repeats: Whether it is given every time.
    func give(_ hint: Hint, repeats: Bool = false, _ fields: @autoclosure () -> [LogField] = []) {
        guard given.withLock({ $0.insert(hint).inserted }) || repeats else { return }
        LintRun.ofProcess?.gave(hint)
        logger.log(.hint, [.hint(hint.rawValue), .reason(hint.advice)] + fields())
        // The mark by which a program in virtual time reports its own failure.
        if failing.contains(hint) { LogFile.put("FINDING: \(hint.rawValue): \(hint.advice)", STDERR_FILENO) }
    }
}
