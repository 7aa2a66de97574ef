/// The subscribers of a subject, in the order in which they subscribed.
final class Ports<Output, Failure: Error> {
    typealias Completion = Subscribers.Completion<Failure>

    private struct State {
        var ports: [any Port<Output, Failure>] = []
        var completion: Completion?
    }

    private let state = Guarded(State())

    /// Attaches a subscriber, and gives it its subscription.
    ///
    /// - Parameters:
    ///   - current: The value that the subscriber receives first, for subjects that keep one.
    ///   - requested: Called at each request.
    func attach<S: Subscriber>(_ subscriber: S, current: Guarded<Output>? = nil, requested: @escaping () -> Void = {})
    where S.Input == Output, S.Failure == Failure {
        let outlet = Outlet(subscriber, surplus: current == nil ? .drop : .keepLatest)
        let identifier = ObjectIdentifier(outlet)
        outlet.attach(
            .init(
                requested: { demand in if demand > .none { requested() } },
                cancelled: { [weak self] in self?.remove(identifier) }))
        let completion = state.with { state in
            guard state.completion == nil else { return state.completion }
            if let current { outlet.enqueue(current.with { $0 }) }
            state.ports.append(outlet)
            return nil
        }
        outlet.open()
        if let completion { outlet.finish(completion) }
    }

    /// Sends a value to all subscribers.
    ///
    /// - Parameter current: Receives the value, for subjects that keep it.
    func send(_ value: Output, current: Guarded<Output>? = nil) {
        let (ports, old) = state.with { state -> ([any Port<Output, Failure>], Output?) in
            guard state.completion == nil else { return ([], nil) }
            let old = current?.exchange(value)
            for port in state.ports { port.enqueue(value) }
            return (state.ports, old)
        }
        for port in ports { port.flush() }
        withExtendedLifetime(old) {}
    }

    /// Ends the subscriptions, and those to come.
    func finish(_ completion: Completion) {
        let ports = state.with { state in
            guard state.completion == nil else { return [any Port<Output, Failure>]() }
            state.completion = completion
            let ports = state.ports
            state.ports = []
            for port in ports { port.enqueue(completion) }
            return ports
        }
        for port in ports { port.flush() }
    }

    private func remove(_ identifier: ObjectIdentifier) {
        let removed = state.with { state -> (any Port<Output, Failure>)? in
            guard let place = state.ports.firstIndex(where: { ObjectIdentifier($0) == identifier }) else { return nil }
            return state.ports.remove(at: place)
        }
        withExtendedLifetime(removed) {}
    }
}
