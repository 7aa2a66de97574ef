/// A subscriber to publishers of which only the latest one counts.
final class LatestSource<Source: Publisher, Downstream: Subscriber>: Subscriber
where Downstream.Input == Source.Output, Downstream.Failure == Source.Failure {
    typealias Input = Source
    typealias Failure = Downstream.Failure

    private struct State {
        var outer = Upstream()
        var isOuterFinished = false
        var inner: (any Subscription)?
        /// The number of the latest publisher.
        var latest = 0
        var hasInner = false
        var isEnded = false
    }

    private let outlet: Outlet<Downstream>
    private let state = Guarded(State())

    init(_ downstream: Downstream) { outlet = Outlet(downstream, surplus: .keep) }

    func receive(subscription: any Subscription) {
        let isFirst = state.with { $0.outer.take(subscription) }
        guard isFirst else { return subscription.cancel() }
        outlet.attach(
            .init(
                requested: { [self] demand in state.with { $0.inner }?.request(demand) },
                cancelled: { [self] in end() }))
        outlet.open()
        subscription.request(.unlimited)
    }

    func receive(_ input: Source) -> Subscribers.Demand {
        let (number, previous) = state.with { state -> (Int?, (any Subscription)?) in
            guard !state.isEnded else { return (nil, nil) }
            state.latest += 1
            state.hasInner = true
            let previous = state.inner
            state.inner = nil
            return (state.latest, previous)
        }
        previous?.cancel()
        guard let number else { return .none }
        input.subscribe(
            AnySubscriber<Source.Output, Source.Failure>(
                receiveSubscription: { [self] in join($0, number) },
                receiveValue: { [self] value in
                    if state.with({ $0.latest == number }) { outlet.send(value) }
                    return .none
                }, receiveCompletion: { [self] in innerEnded($0, number) }))
        return .none
    }

    func receive(completion: Subscribers.Completion<Failure>) {
        if case .failure(let error) = completion {
            end()
            return outlet.fail(error)
        }
        let isOver = state.with { state in
            state.isOuterFinished = true
            return !state.hasInner && !state.isEnded
        }
        if isOver { outlet.finish(.finished) }
    }

    private func join(_ subscription: any Subscription, _ number: Int) {
        let isLatest = state.with { state in
            guard state.latest == number, !state.isEnded else { return false }
            state.inner = subscription
            return true
        }
        guard isLatest else { return subscription.cancel() }
        let demand = outlet.demand
        if demand > .none { subscription.request(demand) }
    }

    private func innerEnded(_ completion: Subscribers.Completion<Failure>, _ number: Int) {
        let (isLatest, isOver) = state.with { state in
            guard state.latest == number, !state.isEnded else { return (false, false) }
            (state.inner, state.hasInner) = (nil, false)
            return (true, state.isOuterFinished)
        }
        switch completion {
        case .failure(let error) where isLatest:
            end()
            outlet.fail(error)
        case .finished where isOver: outlet.finish(.finished)
        case .failure, .finished: break
        }
    }

    private func end() {
        let old = state.exchange(State(outer: .ended, isEnded: true))
        old.inner?.cancel()
        old.outer.subscription?.cancel()
    }
}
