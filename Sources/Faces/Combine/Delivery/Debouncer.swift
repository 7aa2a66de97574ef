/// The subscriber of ``Publishers/Debounce``: keeps the latest value until none has come for a time.
final class Debouncer<Downstream: Subscriber, Context: Scheduler>: Subscriber {
    typealias Input = Downstream.Input
    typealias Failure = Downstream.Failure

    private struct State {
        var upstream = Upstream()
        var value: Input?
    }

    /// A value is lost if it is not requested when it is due.
    private let outlet: Outlet<Downstream>
    private let scheduler: Context
    private let alarm: Alarm<Context>
    private let state = Guarded(State())

    init(
        _ downstream: Downstream, dueTime: Context.SchedulerTimeType.Stride, scheduler: Context,
        options: Context.SchedulerOptions?
    ) {
        outlet = Outlet(downstream, surplus: .drop)
        self.scheduler = scheduler
        alarm = Alarm(interval: dueTime, scheduler: scheduler, options: options)
        alarm.onDue = { [weak self] in self?.due() }
    }

    func receive(subscription: any Subscription) {
        let isFirst = state.with { $0.upstream.take(subscription) }
        guard isFirst else { return subscription.cancel() }
        outlet.attach(.init(cancelled: { [self] in end()?.cancel() }))
        outlet.open()
        subscription.request(.unlimited)
    }

    func receive(_ input: Input) -> Subscribers.Demand {
        let old = state.with { state -> State? in
            guard state.upstream.subscription != nil else { return nil }
            let old = state
            state.value = input
            return old
        }
        if old != nil { alarm.set() }
        return .none
    }

    func receive(completion: Subscribers.Completion<Failure>) {
        guard end() != nil else { return }
        scheduler.schedule { [outlet] in outlet.finish(completion) }
    }

    private func due() {
        let value = state.with { state in
            let value = state.value
            state.value = nil
            return value
        }
        if let value { outlet.send(value) }
    }

    private func end() -> (any Subscription)? {
        alarm.cancel()
        return state.exchange(State(upstream: .ended)).upstream.subscription
    }
}
