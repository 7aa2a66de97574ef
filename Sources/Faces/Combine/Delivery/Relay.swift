/// A subscriber that passes each value on in the call in which it came, changed or not. The demand passes through.
final class Relay<Input, Failure: Error, Downstream: Subscriber>: Subscriber, Subscription {
    /// The treatment of a value.
    enum Step {
        case pass(Downstream.Input)
        /// Nothing is passed on; one more value is requested instead.
        case skip
        /// The value is passed on, and the sequence finishes.
        case last(Downstream.Input)
        /// The sequence ends without the value.
        case end(Subscribers.Completion<Downstream.Failure>)
    }

    /// Closures that are called before what they are named after happens.
    struct Watch {
        var subscribed: ((any Subscription) -> Void)?
        var requested: ((Subscribers.Demand) -> Void)?
        var cancelled: (() -> Void)?
        var completed: ((Subscribers.Completion<Failure>) -> Void)?
    }

    private struct State {
        var downstream: Downstream?
        var upstream = Upstream()
    }

    private let state: Guarded<State>
    private let watch: Watch
    private let step: (Input) -> Step
    private let ending: (Subscribers.Completion<Failure>) -> Subscribers.Completion<Downstream.Failure>

    init(
        _ downstream: Downstream, watch: Watch = Watch(),
        ending: @escaping (Subscribers.Completion<Failure>) -> Subscribers.Completion<Downstream.Failure>,
        step: @escaping (Input) -> Step
    ) {
        state = Guarded(State(downstream: downstream))
        (self.watch, self.ending, self.step) = (watch, ending, step)
    }

    func receive(subscription: any Subscription) {
        let downstream = state.with { $0.upstream.take(subscription) ? $0.downstream : nil }
        guard let downstream else { return subscription.cancel() }
        watch.subscribed?(subscription)
        downstream.receive(subscription: self)
    }

    func receive(_ input: Input) -> Subscribers.Demand {
        guard let downstream = state.with({ $0.downstream }) else { return .none }
        switch step(input) {
        case .pass(let value): return downstream.receive(value)
        case .skip: return .max(1)
        case .last(let value):
            _ = downstream.receive(value)
            finish(.finished)
        case .end(let completion): finish(completion)
        }
        return .none
    }

    func receive(completion: Subscribers.Completion<Failure>) {
        guard let downstream = close().downstream else { return }
        watch.completed?(completion)
        downstream.receive(completion: ending(completion))
    }

    func request(_ demand: Subscribers.Demand) {
        guard let upstream = state.with({ $0.upstream.subscription }) else { return }
        watch.requested?(demand)
        upstream.request(demand)
    }

    func cancel() {
        guard let upstream = close().upstream.subscription else { return }
        watch.cancelled?()
        upstream.cancel()
    }

    /// Ends the sequence by the relay's own decision.
    private func finish(_ completion: Subscribers.Completion<Downstream.Failure>) {
        let old = close()
        old.upstream.subscription?.cancel()
        old.downstream?.receive(completion: completion)
    }

    /// Returns the state from before.
    private func close() -> State { state.exchange(State(upstream: .ended)) }
}

extension Relay where Failure == Downstream.Failure {
    convenience init(_ downstream: Downstream, watch: Watch = Watch(), step: @escaping (Input) -> Step) {
        self.init(downstream, watch: watch, ending: { $0 }, step: step)
    }
}

extension Relay where Downstream.Failure == any Error {
    /// Creates a relay whose closure may throw; the error ends the sequence.
    convenience init(_ downstream: Downstream, attempting step: @escaping (Input) throws -> Step) {
        self.init(
            downstream, ending: { $0.mapError { $0 } },
            step: { input in
                do { return try step(input) } catch { return .end(.failure(error)) }
            })
    }
}
