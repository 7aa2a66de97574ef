/// A subscription whose upstream is replaced when it ends: by catch, retry and append. Demand that one upstream has not
/// met is requested from the next.
final class Succession<Downstream: Subscriber>: Subscription {
    private struct State {
        var downstream: Downstream?
        var upstream: (any Subscription)?
        var demand = Subscribers.Demand.none
        var isOpen = false
    }

    private let state: Guarded<State>

    init(_ downstream: Downstream) { state = Guarded(State(downstream: downstream)) }

    /// Subscribes to the first or the next upstream.
    ///
    /// - Parameter ended: Called at its end; calls this method again, or ``finish(_:)``.
    func follow<P: Publisher>(_ publisher: P, ended: @escaping (Subscribers.Completion<P.Failure>) -> Void)
    where P.Output == Downstream.Input {
        publisher.subscribe(
            AnySubscriber<P.Output, P.Failure>(
                receiveSubscription: { [self] in join($0) }, receiveValue: { [self] in pass($0) },
                receiveCompletion: { [self] completion in
                    leave()
                    ended(completion)
                }))
    }

    /// Forgets the upstream that has ended.
    private func leave() {
        let upstream = state.with { state in
            let upstream = state.upstream
            state.upstream = nil
            return upstream
        }
        withExtendedLifetime(upstream) {}
    }

    func finish(_ completion: Subscribers.Completion<Downstream.Failure>) {
        close().downstream?.receive(completion: completion)
    }

    func request(_ demand: Subscribers.Demand) {
        let upstream = state.with { state in
            state.demand += demand
            return state.upstream
        }
        upstream?.request(demand)
    }

    func cancel() { close().upstream?.cancel() }

    private func join(_ subscription: any Subscription) {
        let (downstream, isFirst, demand) = state.with { state in
            defer { state.isOpen = true }
            if state.downstream != nil { state.upstream = subscription }
            return (state.downstream, !state.isOpen, state.demand)
        }
        guard let downstream else { return subscription.cancel() }
        if isFirst {
            downstream.receive(subscription: self)
        } else if demand > .none {
            subscription.request(demand)
        }
    }

    private func pass(_ value: Downstream.Input) -> Subscribers.Demand {
        let downstream = state.with { state in
            state.demand -= 1
            return state.downstream
        }
        let more = downstream?.receive(value) ?? .none
        state.with { $0.demand += more }
        return more
    }

    private func close() -> State { state.exchange(State(isOpen: true)) }
}
