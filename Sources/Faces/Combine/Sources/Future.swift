/// A publisher of the one value, or the error, of work that starts when the publisher is created.
public final class Future<Output, Failure: Error>: Publisher {
    /// The closure that the work calls once with its result; further calls do nothing.
    public typealias Promise = (Result<Output, Failure>) -> Void

    private typealias Waiter = (identifier: ObjectIdentifier?, conclude: (Result<Output, Failure>) -> Void)

    private struct State {
        var result: Result<Output, Failure>?
        var waiting: [Waiter] = []
    }

    private let state = Guarded(State())

    /// Creates a publisher, and starts its work at once.
    public init(_ attemptToFulfill: @escaping (@escaping Promise) -> Void) {
        attemptToFulfill { [self] in fulfill($0) }
    }

    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
        let outlet = Outlet(subscriber, surplus: .keep)
        let identifier = ObjectIdentifier(outlet)
        outlet.attach(.init(cancelled: { [weak self] in self?.remove(identifier) }))
        outlet.open()
        whenFulfilled(identifier) { result in
            switch result {
            case .success(let value):
                outlet.send(value)
                outlet.finish(.finished)
            case .failure(let error): outlet.finish(.failure(error))
            }
        }
    }

    /// Calls a closure with the result, now or later.
    ///
    /// - Parameter identifier: A name for the closure, which a subscriber that cancels takes back.
    func whenFulfilled(_ identifier: ObjectIdentifier?, _ conclude: @escaping (Result<Output, Failure>) -> Void) {
        let result = state.with { state in
            if state.result == nil { state.waiting.append((identifier, conclude)) }
            return state.result
        }
        if let result { conclude(result) }
    }

    private func fulfill(_ result: Result<Output, Failure>) {
        let waiting = state.with { state in
            guard state.result == nil else { return [Waiter]() }
            let waiting = state.waiting
            state.waiting = []
            state.result = result
            return waiting
        }
        for waiter in waiting { waiter.conclude(result) }
    }

    private func remove(_ identifier: ObjectIdentifier) {
        let removed = state.with { state in
            let removed = state.waiting.filter { $0.identifier == identifier }
            state.waiting.removeAll { $0.identifier == identifier }
            return removed
        }
        withExtendedLifetime(removed) {}
    }
}
