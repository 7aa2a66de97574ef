/// A subscriber that takes in all values and passes a single result on: first, last, collect, reduce.
final class Collector<Input, Downstream: Subscriber>: Subscriber {
    typealias Failure = Downstream.Failure

    /// The treatment of a value.
    enum Step {
        case more
        /// The result is known before the end.
        case done(Downstream.Input?)
    }

    private let outlet: Outlet<Downstream>
    private let upstream = Guarded(Upstream())
    private let step: (Input) -> Step
    private let result: () -> Downstream.Input?

    /// - Parameters:
    ///   - result: Returns the result when the upstream has finished; nil if there is none.
    ///   - step: Takes in a value.
    init(
        _ downstream: Downstream, result: @escaping () -> Downstream.Input?, step: @escaping (Input) -> Step
    ) {
        outlet = Outlet(downstream, surplus: .keep)
        (self.result, self.step) = (result, step)
    }

    func receive(subscription: any Subscription) {
        let isFirst = upstream.with { $0.take(subscription) }
        guard isFirst else { return subscription.cancel() }
        outlet.attach(.init(cancelled: { [self] in release()?.cancel() }))
        outlet.open()
        subscription.request(.unlimited)
    }

    func receive(_ input: Input) -> Subscribers.Demand {
        guard upstream.with({ $0.subscription != nil }) else { return .none }
        if case .done(let value) = step(input) {
            release()?.cancel()
            conclude(value)
        }
        return .none
    }

    func receive(completion: Subscribers.Completion<Failure>) {
        guard release() != nil else { return }
        switch completion {
        case .finished: conclude(result())
        case .failure: outlet.finish(completion)
        }
    }

    private func conclude(_ value: Downstream.Input?) {
        if let value { outlet.send(value) }
        outlet.finish(.finished)
    }

    private func release() -> (any Subscription)? { upstream.exchange(.ended).subscription }
}
