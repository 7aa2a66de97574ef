/// A subscriber that passes events on later, on a scheduler, in the order in which they came. The demand passes through.
final class TimedRelay<Downstream: Subscriber>: Subscriber {
    typealias Input = Downstream.Input
    typealias Failure = Downstream.Failure

    private let outlet: Outlet<Downstream>
    private let upstream = Guarded(Upstream())
    private let schedule: (@escaping () -> Void) -> Void
    private let subscribed: () -> Void
    private let received: () -> Void
    private let ended: () -> Void

    /// - Parameters:
    ///   - subscribed: Called when the subscription comes.
    ///   - received: Called with each value that comes.
    ///   - ended: Called when the upstream ends or the subscriber cancels.
    ///   - schedule: Calls a closure later.
    init(
        _ downstream: Downstream, subscribed: @escaping () -> Void = {}, received: @escaping () -> Void = {},
        ended: @escaping () -> Void = {}, schedule: @escaping (@escaping () -> Void) -> Void
    ) {
        outlet = Outlet(downstream, surplus: .keep)
        (self.subscribed, self.received, self.ended, self.schedule) = (subscribed, received, ended, schedule)
    }

    func receive(subscription: any Subscription) {
        let isFirst = upstream.with { $0.take(subscription) }
        guard isFirst else { return subscription.cancel() }
        outlet.attach(
            .init(
                requested: { [self] demand in upstream.with { $0.subscription }?.request(demand) },
                cancelled: { [self] in
                    ended()
                    end()?.cancel()
                }))
        subscribed()
        outlet.open()
    }

    func receive(_ input: Input) -> Subscribers.Demand {
        guard upstream.with({ $0.subscription != nil }) else { return .none }
        received()
        outlet.hold(input)
        schedule { [outlet] in outlet.release() }
        return .none
    }

    func receive(completion: Subscribers.Completion<Failure>) {
        guard end() != nil else { return }
        ended()
        outlet.hold(completion)
        schedule { [outlet] in outlet.release() }
    }

    /// Cancels the upstream, and ends the sequence now.
    func stop(_ completion: Subscribers.Completion<Failure>) {
        guard let upstream = end() else { return }
        ended()
        upstream.cancel()
        outlet.finish(completion)
    }

    private func end() -> (any Subscription)? { upstream.exchange(.ended).subscription }
}
