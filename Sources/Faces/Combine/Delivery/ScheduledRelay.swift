/// A subscriber that passes values on in the call in which they come, and requests and cancellation later.
final class ScheduledRelay<Downstream: Subscriber>: Subscriber, Subscription {
    typealias Input = Downstream.Input
    typealias Failure = Downstream.Failure

    private struct State {
        var downstream: Downstream?
        var upstream: (any Subscription)?
        var isSubscribed = false
    }

    private let state: Guarded<State>
    private let schedule: (@escaping () -> Void) -> Void

    init(_ downstream: Downstream, schedule: @escaping (@escaping () -> Void) -> Void) {
        state = Guarded(State(downstream: downstream))
        self.schedule = schedule
    }

    func receive(subscription: any Subscription) {
        let downstream = state.with { state -> Downstream? in
            guard !state.isSubscribed else { return nil }
            (state.isSubscribed, state.upstream) = (true, subscription)
            return state.downstream
        }
        guard let downstream else { return subscription.cancel() }
        downstream.receive(subscription: self)
    }

    func receive(_ input: Input) -> Subscribers.Demand { state.with { $0.downstream }?.receive(input) ?? .none }

    func receive(completion: Subscribers.Completion<Failure>) { end().downstream?.receive(completion: completion) }

    func request(_ demand: Subscribers.Demand) {
        schedule { [self] in state.with { $0.upstream }?.request(demand) }
    }

    func cancel() {
        guard let upstream = end().upstream else { return }
        schedule { upstream.cancel() }
    }

    private func end() -> State { state.exchange(State(isSubscribed: true)) }
}
