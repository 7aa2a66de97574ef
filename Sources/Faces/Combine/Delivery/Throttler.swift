/// The subscriber of ``Publishers/Throttle``: sends the first value at once, and then one value in each interval.
final class Throttler<Downstream: Subscriber, Context: Scheduler>: Subscriber {
    typealias Input = Downstream.Input
    typealias Failure = Downstream.Failure

    private struct State {
        var upstream = Upstream()
        /// The value that is sent next, and whether its delivery is scheduled.
        var value: Input?
        var completion: Subscribers.Completion<Failure>?
        /// The time at which the last value was sent.
        var sent: Context.SchedulerTimeType?
    }

    private enum Plan {
        case nothing, now
        case later(Context.SchedulerTimeType)
    }

    private let outlet: Outlet<Downstream>
    private let interval: Context.SchedulerTimeType.Stride
    private let scheduler: Context
    private let sendsLatest: Bool
    private let state = Guarded(State())

    init(
        _ downstream: Downstream, interval: Context.SchedulerTimeType.Stride, scheduler: Context, sendsLatest: Bool
    ) {
        outlet = Outlet(downstream, surplus: .drop)
        (self.interval, self.scheduler, self.sendsLatest) = (interval, scheduler, sendsLatest)
    }

    func receive(subscription: any Subscription) {
        let isFirst = state.with { $0.upstream.take(subscription) }
        guard isFirst else { return subscription.cancel() }
        outlet.attach(.init(cancelled: { [self] in end()?.cancel() }))
        outlet.open()
        subscription.request(.unlimited)
    }

    func receive(_ input: Input) -> Subscribers.Demand {
        let now = scheduler.now
        // Values without demand are lost.
        let hasDemand = outlet.demand > .none
        let (plan, old) = state.with { state -> (Plan, Input?) in
            guard state.upstream.subscription != nil, hasDemand else { return (.nothing, nil) }
            let old = state.value
            if old == nil || sendsLatest { state.value = input }
            guard old == nil else { return (.nothing, old) }
            guard let due = state.sent?.advanced(by: interval), due > now else { return (.now, nil) }
            return (.later(due), nil)
        }
        withExtendedLifetime(old) {}
        switch plan {
        case .nothing: break
        case .now: scheduler.schedule { [self] in due() }
        case .later(let date):
            scheduler.schedule(after: date, tolerance: scheduler.minimumTolerance) { [self] in due() }
        }
        return .none
    }

    func receive(completion: Subscribers.Completion<Failure>) {
        let isWaiting = state.with { state -> Bool? in
            guard state.upstream.subscription != nil else { return nil }
            state.upstream = .ended
            guard state.value != nil else { return false }
            state.completion = completion
            return true
        }
        // A value that waits is sent when it is due, and the end directly after it.
        if isWaiting == false { scheduler.schedule { [outlet] in outlet.finish(completion) } }
    }

    private func due() {
        let now = scheduler.now
        let (value, completion) = state.with { state in
            let value = state.value
            (state.value, state.sent) = (nil, now)
            return (value, state.completion)
        }
        if let value { outlet.send(value) }
        if let completion { outlet.finish(completion) }
    }

    private func end() -> (any Subscription)? { state.exchange(State(upstream: .ended)).upstream.subscription }
}
