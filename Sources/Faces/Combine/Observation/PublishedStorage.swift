/// The value of a published property, its subscribers, and the object that has it.
final class PublishedStorage<Value> {
    private struct Owner {
        weak var object: AnyObject?
        var identifier: ObjectIdentifier?
    }

    private struct State {
        var value: Value
        var owner = Owner()
        /// The subscriptions that set the property.
        var sources: [AnyCancellable] = []
    }

    private let state: Guarded<State>
    /// The value that was sent last, which the property does not have before all subscribers have received it.
    private let sent: Guarded<Value>
    private let ports = Ports<Value, Never>()

    init(_ value: Value) {
        state = Guarded(State(value: value))
        sent = Guarded(value)
    }

    deinit {
        // The object is released, or about to be: its publisher is removed now or by a later sweep.
        if let identifier = state.with({ $0.owner.identifier }) { ObservedObjects.all.remove(identifier) }
    }

    /// The property's value: the previous one while a new one is sent.
    var value: Value { state.with { $0.value } }

    func belong(to object: AnyObject) {
        state.with { state in
            guard state.owner.identifier == nil else { return }
            state.owner = Owner(object: object, identifier: ObjectIdentifier(object))
        }
    }

    /// Sends the value, then sets it.
    func set(_ value: Value) {
        if let object = state.with({ $0.owner.object }) {
            ObservedObjects.all.existingPublisher(of: object)?.send()
        }
        ports.send(value, current: sent)
        let old = state.with { state in
            let old = state.value
            state.value = value
            return old
        }
        // A subscriber may have set another value in between, which this one replaces.
        let nested = sent.exchange(value)
        withExtendedLifetime((old, nested)) {}
    }

    func attach<S: Subscriber>(_ subscriber: S) where S.Input == Value, S.Failure == Never {
        ports.attach(subscriber, current: sent)
    }

    /// Keeps a subscription as long as the property exists.
    func keep(_ source: AnyCancellable) { state.with { $0.sources.append(source) } }
}
