/// The subscriptions by which a subject receives from publishers. They are cancelled when the subject is released.
final class UpstreamSubscriptions {
    private struct State {
        var subscriptions: [any Subscription] = []
        var isRequested: Bool
    }

    private let state: Guarded<State>

    /// - Parameter isRequested: True if values are requested without a request by a subscriber of the subject.
    init(isRequested: Bool) { state = Guarded(State(isRequested: isRequested)) }

    deinit { cancel() }

    func add(_ subscription: any Subscription) {
        let isRequested = state.with { state in
            state.subscriptions.append(subscription)
            return state.isRequested
        }
        if isRequested { subscription.request(.unlimited) }
    }

    /// Requests all values, once.
    func request() {
        let subscriptions = state.with { state -> [any Subscription] in
            guard !state.isRequested else { return [] }
            state.isRequested = true
            return state.subscriptions
        }
        for subscription in subscriptions { subscription.request(.unlimited) }
    }

    /// Forgets the subscriptions: the subject has ended.
    func removeAll() { _ = state.with { state in take(&state) } }

    private func cancel() {
        for subscription in state.with({ state in take(&state) }) { subscription.cancel() }
    }

    private func take(_ state: inout State) -> [any Subscription] {
        let subscriptions = state.subscriptions
        state.subscriptions = []
        return subscriptions
    }
}
