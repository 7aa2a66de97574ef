import DeviceShell
import EventLog
import Locking

/// Gives each hint once in a session's life, but for what somebody has to be reminded of.
final class HintBoard: Sendable {
    private let logger: Logger
    private let given = Mutex<Set<Hint>>([])

    init(_ logger: Logger) { self.logger = logger }

    /// - Parameter repeats: Whether it is given again each time.
    func give(_ hint: Hint, repeats: Bool = false, _ fields: @autoclosure () -> [LogField] = []) {
        guard given.withLock({ $0.insert(hint).inserted }) || repeats else { return }
        logger.log(.hint, [.hint(hint.rawValue), .reason(hint.advice)] + fields())
    }
}
