/// A subscriber that passes values on in the call in which they come, and requests and cancellation later.
final class ScheduledRelay<Downstream: Subscriber>: Subscriber, Subscription {
    typealias Input = Downstream.Input
    typealias Failure = Downstream.Failure

    private struct State {
        var downstream: Downstream?
        var upstream = Upstream()
    }

    private let state: Guarded<State>
    private let schedule: (@escaping () -> Void) -> Void

    init(_ downstream: Downstream, schedule: @escaping (@escaping () -> Void) -> Void) {
        state = Guarded(State(downstream: downstream))
        self.schedule = schedule
    }

    func receive(subscription: any Subscription) {
        let downstream = state.with { $0.upstream.take(subscription) ? $0.downstream : nil }
        guard let downstream else { return subscription.cancel() }
        downstream.receive(subscription: self)
    }

    func receive(_ input: Input) -> Subscribers.Demand { state.with { $0.downstream }?.receive(input) ?? .none }

    func receive(completion: Subscribers.Completion<Failure>) { end().downstream?.receive(completion: completion) }

    func request(_ demand: Subscribers.Demand) {
        schedule { [self] in state.with { $0.upstream.subscription }?.request(demand) }
    }

    func cancel() {
        guard let upstream = end().upstream.subscription else { return }
        schedule { upstream.cancel() }
    }

    private func end() -> State { state.exchange(State(upstream: .ended)) }
}
