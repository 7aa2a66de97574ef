import DeviceShell
import EventLog
import Locking

/// A log of hints, which gives each hint once per session, unless it repeats.
final class HintBoard: Sendable {
    private let logger: Logger
    private let given = Mutex<Set<Hint>>([])

    init(_ logger: Logger) { self.logger = logger }

    /// - Parameter repeats: Whether it is given every time.
    func give(_ hint: Hint, repeats: Bool = false, _ fields: @autoclosure () -> [LogField] = []) {
        guard given.withLock({ $0.insert(hint).inserted }) || repeats else { return }
        LintRun.ofProcess?.gave(hint)
        logger.log(.hint, [.hint(hint.rawValue), .reason(hint.advice)] + fields())
    }
}
