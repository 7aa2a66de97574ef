/// The subscription to several publishers whose values flow together: merge and flatMap.
///
/// Each publisher has one value in hand until the subscriber requests without limit.
final class Confluence<Downstream: Subscriber> {
    private struct State {
        var sources: [Int: any Subscription] = [:]
        /// The subscription by which the publishers come, if they come from one.
        var origin: (any Subscription)?
        var last = 0
        /// The publishers that have not finished, whether or not they have given their subscription.
        var open: Set<Int> = []
        var isUnlimited = false
        var isEnded = false
    }

    private let outlet: Outlet<Downstream>
    private let state = Guarded(State())

    init(_ downstream: Downstream) { outlet = Outlet(downstream, surplus: .keep) }

    /// Gives the subscriber its subscription.
    func start() {
        outlet.attach(
            .init(
                requested: { [self] demand in if demand == .unlimited { requestAll() } },
                cancelled: { [self] in end() }))
        outlet.open()
    }

    /// Reserves the place of a publisher, so that the end is not reached before it has finished.
    func reserve() -> Int {
        state.with { state in
            state.last += 1
            state.open.insert(state.last)
            return state.last
        }
    }

    /// Subscribes to a publisher.
    ///
    /// - Parameters:
    ///   - place: The place that was reserved for it.
    ///   - finished: Called when it has finished.
    func add<P: Publisher>(_ publisher: P, at place: Int, finished: @escaping () -> Void = {})
    where P.Output == Downstream.Input, P.Failure == Downstream.Failure {
        publisher.subscribe(
            AnySubscriber<P.Output, P.Failure>(
                receiveSubscription: { [self] subscription in
                    guard join(subscription, { $0.sources[place] = subscription }) else { return }
                    subscription.request(state.with { $0.isUnlimited } ? .unlimited : .max(1))
                },
                receiveValue: { [self] value in
                    outlet.send(value) { self.delivered(from: place) }
                    return .none
                },
                receiveCompletion: { [self] completion in
                    switch completion {
                    case .finished:
                        leave(place)
                        finished()
                    case .failure(let error): fail(error)
                    }
                }))
    }

    /// Enters the subscription by which the publishers come. Returns false, and cancels it, if everything has ended.
    func join(origin subscription: any Subscription) -> Bool { join(subscription) { $0.origin = subscription } }

    private func join(_ subscription: any Subscription, _ enter: (inout State) -> Void) -> Bool {
        let isOpen = state.with { state in
            guard !state.isEnded else { return false }
            enter(&state)
            return true
        }
        if !isOpen { subscription.cancel() }
        return isOpen
    }

    /// Gives up a place. The end is reached with the last one.
    func leave(_ place: Int) {
        let (left, isOver) = state.with { state in
            let left = state.sources.removeValue(forKey: place)
            state.open.remove(place)
            return (left, state.open.isEmpty && !state.isEnded)
        }
        withExtendedLifetime(left) {}
        if isOver { outlet.finish(.finished) }
    }

    func fail(_ error: Downstream.Failure) {
        end()
        outlet.fail(error)
    }

    /// True if the subscription has ended.
    var isEnded: Bool { state.with { $0.isEnded } }

    private func delivered(from place: Int) {
        let source = state.with { $0.isUnlimited ? nil : $0.sources[place] }
        source?.request(.max(1))
    }

    private func requestAll() {
        let sources = state.with { state -> [any Subscription] in
            guard !state.isUnlimited else { return [] }
            state.isUnlimited = true
            return state.sources.sorted { $0.key < $1.key }.map(\.value)
        }
        for source in sources { source.request(.unlimited) }
    }

    private func end() {
        let old = state.exchange(State(isEnded: true))
        old.origin?.cancel()
        for source in old.sources.sorted(by: { $0.key < $1.key }) { source.value.cancel() }
    }
}
