import LinkProtocol
import Locking

/// A count of the transfers that wait for the delegate, readable from any thread.
package final class InboxContent: Sendable {
    private struct State {
        var undelivered = 0
        var pending = PendingContent()
    }

    private let state = Mutex(State())
    private let onPending: @Sendable (Bool) -> Void

    /// - Parameter onPending: Called with `true` when there is content that could not be delivered on arrival, and with
    ///   `false` when there is none left.
    init(onPending: @escaping @Sendable (Bool) -> Void) { self.onPending = onPending }

    /// The number of transfers that the delegate has not received.
    package var count: Int { state.withLock { $0.undelivered } }

    /// True while content that could not be delivered on arrival still waits.
    package var isPending: Bool { state.withLock { $0.pending.pendingCount > 0 } }

    func received(_ added: Int, isDeliverable: Bool) {
        change {
            $0.undelivered += added
            $0.pending.received(added, isDeliverable: isDeliverable)
        }
    }

    /// Records that the delegate's method is about to be called with the next transfer.
    package func began() { change { $0.pending.began() } }

    /// Records that the delegate has received some transfers.
    ///
    /// - Returns: `true` if it has received all.
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
