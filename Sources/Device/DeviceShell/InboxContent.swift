import LinkProtocol
import Locking

/// Counts the transfers that wait for the delegate, for whoever asks from any thread.
package final class InboxContent: Sendable {
    private struct State {
        var undelivered = 0
        var pending = PendingContent()
    }

    private let state = Mutex(State())
    private let onPending: @Sendable (Bool) -> Void

    /// - Parameter onPending: Called with whether there is content that could not be given when it came, when that changes.
    init(onPending: @escaping @Sendable (Bool) -> Void) { self.onPending = onPending }

    /// Transfers that the delegate has not had.
    package var count: Int { state.withLock { $0.undelivered } }

    /// Whether there is something that came while the app could not be given it, and still has to be.
    package var isPending: Bool { state.withLock { $0.pending.pendingCount > 0 } }

    func received(_ added: Int, isDeliverable: Bool) {
        change {
            $0.undelivered += added
            $0.pending.received(added, isDeliverable: isDeliverable)
        }
    }

    /// The delegate's method is about to be called with the next transfer.
    package func began() { change { $0.pending.began() } }

    /// The delegate has had some.
    ///
    /// - Returns: Whether it has had all.
    func settled(_ count: Int) -> Bool {
        state.withLock { state in
            state.undelivered = max(0, state.undelivered - count)
            return state.undelivered == 0
        }
    }

    private func change(_ change: (inout State) -> Void) {
        let (former, present) = state.withLock { state in
            let former = state.pending.pendingCount
            change(&state)
            return (former, state.pending.pendingCount)
        }
        if (former > 0) != (present > 0) { onPending(present > 0) }
    }
}
