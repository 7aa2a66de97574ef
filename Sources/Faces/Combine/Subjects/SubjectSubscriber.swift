/// A subscriber that passes everything on to a subject.
final class SubjectSubscriber<S: Subject>: Subscriber, Subscription {
    typealias Input = S.Output
    typealias Failure = S.Failure

    private struct State {
        var subject: S?
        var upstream: (any Subscription)?
        var isSubscribed = false
    }

    private let state: Guarded<State>

    init(_ subject: S) { state = Guarded(State(subject: subject)) }

    func receive(subscription: any Subscription) {
        let subject = state.with { state -> S? in
            guard !state.isSubscribed else { return nil }
            (state.isSubscribed, state.upstream) = (true, subscription)
            return state.subject
        }
        guard let subject else { return subscription.cancel() }
        subject.send(subscription: self)
    }

    func receive(_ input: Input) -> Subscribers.Demand {
        state.with { $0.subject }?.send(input)
        return .none
    }

    func receive(completion: Subscribers.Completion<Failure>) { end().subject?.send(completion: completion) }

    func request(_ demand: Subscribers.Demand) { state.with { $0.upstream }?.request(demand) }

    func cancel() { end().upstream?.cancel() }

    private func end() -> State { state.exchange(State(isSubscribed: true)) }
}
