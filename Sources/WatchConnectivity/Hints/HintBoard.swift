import EventLog
import Locking

/// Gives each hint once in a session's life.
final class HintBoard: Sendable {
    private let logger: Logger
    private let given = Mutex<Set<Hint>>([])

    init(_ logger: Logger) { self.logger = logger }

    func give(_ hint: Hint, _ fields: @autoclosure () -> [LogField] = []) {
        guard given.withLock({ $0.insert(hint).inserted }) else { return }
        logger.log(.hint, [.hint(hint.rawValue), .reason(hint.advice)] + fields())
    }
}
