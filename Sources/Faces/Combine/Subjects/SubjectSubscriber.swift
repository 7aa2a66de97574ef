/// A subscriber that passes everything on to a subject.
final class SubjectSubscriber<S: Subject>: Subscriber, Subscription {
    typealias Input = S.Output
    typealias Failure = S.Failure

    private struct State {
        var subject: S?
        var upstream = Upstream()
    }

    private let state: Guarded<State>

    init(_ subject: S) { state = Guarded(State(subject: subject)) }

    func receive(subscription: any Subscription) {
        let subject = state.with { $0.upstream.take(subscription) ? $0.subject : nil }
        guard let subject else { return subscription.cancel() }
        subject.send(subscription: self)
    }

    func receive(_ input: Input) -> Subscribers.Demand {
        state.with { $0.subject }?.send(input)
        return .none
    }

    func receive(completion: Subscribers.Completion<Failure>) { end().subject?.send(completion: completion) }

    func request(_ demand: Subscribers.Demand) { state.with { $0.upstream.subscription }?.request(demand) }

    func cancel() { end().upstream.subscription?.cancel() }

    private func end() -> State { state.exchange(State(upstream: .ended)) }
}
