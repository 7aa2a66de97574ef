/// The subscription to two publishers whose values form pairs. Requests go to both.
final class Pairs<Rule: Pairing, Downstream: Subscriber> where Downstream.Input == (Rule.First, Rule.Second) {
    private struct Side {
        var subscription: (any Subscription)?
        var isFinished = false
    }

    private struct State {
        var rule = Rule()
        var first = Side()
        var second = Side()
        /// The demand so far, for a publisher that gives its subscription later.
        var requested = Subscribers.Demand.none
        var isEnded = false
    }

    private let outlet: Outlet<Downstream>
    private let state = Guarded(State())

    init(_ downstream: Downstream, surplus: Outlet<Downstream>.Surplus) {
        outlet = Outlet(downstream, surplus: surplus)
    }

    func subscribe<A: Publisher, B: Publisher>(_ first: A, _ second: B)
    where
        A.Output == Rule.First, B.Output == Rule.Second, A.Failure == Downstream.Failure,
        B.Failure == Downstream.Failure
    {
        outlet.attach(.init(requested: { [self] in request($0) }, cancelled: { [self] in end() }))
        outlet.open()
        first.subscribe(side(\.first) { $0.add(first: $1) })
        second.subscribe(side(\.second) { $0.add(second: $1) })
    }

    private func side<Value>(
        _ side: WritableKeyPath<State, Side>, add: @escaping (inout Rule, Value) -> Value?
    ) -> AnySubscriber<Value, Downstream.Failure> {
        AnySubscriber(
            receiveSubscription: { [self] in join(side, $0) },
            receiveValue: { [self] in
                take($0, add)
                return .none
            }, receiveCompletion: { [self] in finish(side, $0) })
    }

    private func request(_ demand: Subscribers.Demand) {
        let subscriptions = state.with { state in
            state.requested += demand
            return [state.first.subscription, state.second.subscription]
        }
        for subscription in subscriptions { subscription?.request(demand) }
    }

    private func join(_ side: WritableKeyPath<State, Side>, _ subscription: any Subscription) {
        let requested = state.with { state -> Subscribers.Demand? in
            guard !state.isEnded else { return nil }
            state[keyPath: side].subscription = subscription
            return state.requested
        }
        guard let requested else { return subscription.cancel() }
        if requested > .none { subscription.request(requested) }
    }

    private func take<Value>(_ value: Value, _ add: (inout Rule, Value) -> Value?) {
        let (isOver, replaced) = state.with { state -> (Bool, Value?) in
            guard !state.isEnded else { return (false, nil) }
            let replaced = add(&state.rule, value)
            // Entered under the lock, so that the pairs stay in order.
            if let pair = state.rule.pair() { outlet.enqueue(pair) }
            return (Self.isOver(state), replaced)
        }
        withExtendedLifetime(replaced) {}
        outlet.flush()
        if isOver { conclude() }
    }

    private func finish(_ side: WritableKeyPath<State, Side>, _ completion: Subscribers.Completion<Downstream.Failure>)
    {
        if case .failure(let error) = completion {
            end()
            return outlet.fail(error)
        }
        let (isOver, before) = state.with { state in
            let before = state[keyPath: side]
            state[keyPath: side] = Side(isFinished: true)
            return (Self.isOver(state), before)
        }
        withExtendedLifetime(before) {}
        if isOver { conclude() }
    }

    private func conclude() {
        end()
        outlet.finish(.finished)
    }

    /// Cancels both publishers.
    private func end() {
        let old = state.exchange(State(isEnded: true))
        old.first.subscription?.cancel()
        old.second.subscription?.cancel()
    }

    private static func isOver(_ state: State) -> Bool {
        !state.isEnded
            && state.rule.isOver(firstFinished: state.first.isFinished, secondFinished: state.second.isFinished)
    }
}
