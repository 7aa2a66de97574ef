import Foundation

/// A message and the calls of its handlers.
///
/// Unchecked: its state is guarded by the condition.
final class SentMessage: @unchecked Sendable {
    private let condition = NSCondition()
    private let journal: Journal
    private var outcomes: [Outcome] = []

    init(_ journal: Journal) { self.journal = journal }

    /// The number of calls of either handler.
    var calls: Int {
        condition.lock()
        defer { condition.unlock() }
        return outcomes.count
    }

    /// A handler has been called.
    func end(_ outcome: Outcome) {
        journal.within {
            condition.lock()
            outcomes.append(outcome)
            condition.broadcast()
            condition.unlock()
        }
    }

    /// Waits for the first call.
    func outcome(within seconds: TimeInterval = Patience.handler) -> Outcome {
        let end = Date(timeIntervalSinceNow: seconds)
        condition.lock()
        defer { condition.unlock() }
        while outcomes.isEmpty {
            guard condition.wait(until: end) else { return .silence }
        }
        return outcomes[0]
    }
}
