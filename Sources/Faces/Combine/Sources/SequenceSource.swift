/// A subscription that takes elements from an iterator as they are requested.
final class SequenceSource<Iterator: IteratorProtocol, Downstream: Subscriber>: Subscription
where Downstream.Input == Iterator.Element {
    private struct State {
        var downstream: Downstream?
        var demand = Subscribers.Demand.none
        var isRunning = false
    }

    private let state: Guarded<State>
    // Used by the one call that delivers.
    private var iterator: Iterator
    private var next: Iterator.Element?

    init(_ iterator: Iterator, _ downstream: Downstream) {
        self.iterator = iterator
        state = Guarded(State(downstream: downstream))
        next = self.iterator.next()
    }

    /// Delivers as many elements as are requested, and the end directly after the last one.
    func request(_ demand: Subscribers.Demand) {
        let isFree = state.with { state in
            state.demand += demand
            guard !state.isRunning else { return false }
            state.isRunning = true
            return true
        }
        guard isFree else { return }
        while let downstream = turn(isLast: next == nil) {
            guard let value = next else {
                cancel()
                return downstream.receive(completion: .finished)
            }
            next = iterator.next()
            let more = downstream.receive(value)
            state.with { $0.demand += more }
        }
    }

    func cancel() {
        let old = state.with { state in
            let old = state.downstream
            state.downstream = nil
            return old
        }
        withExtendedLifetime(old) {}
    }

    /// Returns the subscriber if it is to be called now. The end needs no demand.
    private func turn(isLast: Bool) -> Downstream? {
        state.with { state in
            guard let downstream = state.downstream, isLast || state.demand > .none else {
                state.isRunning = false
                return nil
            }
            if !isLast { state.demand -= 1 }
            return downstream
        }
    }
}
