import Glibc

/// The end of a publisher to which one subscriber is attached: it keeps account of the demand and calls the subscriber
/// one call at a time, without holding a lock.
///
/// A thread that sends while another one delivers leaves its event to that thread. A subscriber that makes its own
/// publisher send receives the new value at once, inside its call.
final class Outlet<Downstream: Subscriber>: Subscription, Port {
    typealias Completion = Subscribers.Completion<Downstream.Failure>

    /// The treatment of values that arrive without demand.
    enum Surplus {
        case keep, drop
        /// Only the most recent one is kept.
        case keepLatest
    }

    /// The publisher's part in the subscription.
    struct Hooks {
        /// The subscriber requested more, by a call or as the result of a delivery.
        var requested: (Subscribers.Demand) -> Void = { _ in }
        /// The subscriber cancelled.
        var cancelled: () -> Void = {}
    }

    private struct Item {
        let value: Downstream.Input
        /// Called once the value is delivered.
        let delivered: (() -> Void)?
    }

    private enum Held {
        case value(Downstream.Input)
        case completion(Completion)
    }

    private struct State {
        var downstream: Downstream?
        var hooks: Hooks?
        var demand = Subscribers.Demand.none
        var waiting = Queue<Item>()
        /// Events that ``release()`` sends, one a call.
        var held = Queue<Held>()
        var completion: Completion?
        /// The thread that delivers.
        var runner: pthread_t?
        var phase = Phase.closed
    }

    private enum Phase {
        /// The subscriber does not have its subscription: nothing else may come before that.
        case closed
        case opening, open
    }

    private enum Step {
        case deliver(Item, Downstream)
        case drop(Item)
        case complete(Completion, State)
        case rest
    }

    private let surplus: Surplus
    private let state: Guarded<State>

    init(_ downstream: Downstream, surplus: Surplus, hooks: Hooks = Hooks()) {
        self.surplus = surplus
        state = Guarded(State(downstream: downstream, hooks: hooks))
    }

    /// The demand that is not met yet.
    var demand: Subscribers.Demand { state.with { $0.demand } }

    /// Sets the hooks, unless the subscription has ended.
    func attach(_ hooks: Hooks) {
        state.with { state in
            guard state.downstream != nil else { return }
            state.hooks = hooks
        }
    }

    /// Gives the subscriber its subscription, and then what was sent in the meantime.
    func open() {
        let downstream = state.with { state in
            (state.phase, state.runner) = (.opening, pthread_self())
            return state.downstream
        }
        downstream?.receive(subscription: self)
        state.with { state in
            state.phase = .open
            state.runner = nil
        }
        flush()
    }

    func enqueue(_ value: Downstream.Input) { enqueue(value, delivered: nil) }

    func enqueue(_ completion: Completion) {
        state.with { state in
            if state.completion == nil { state.completion = completion }
        }
    }

    func flush() { run(mayNest: true) }

    /// Sends a value.
    func send(_ value: Downstream.Input, delivered: (() -> Void)? = nil) {
        enqueue(value, delivered: delivered)
        flush()
    }

    private func enqueue(_ value: Downstream.Input, delivered: (() -> Void)?) {
        state.with { $0.waiting.append(Item(value: value, delivered: delivered)) }
    }

    /// Ends the subscription once all values are delivered.
    func finish(_ completion: Completion) {
        enqueue(completion)
        flush()
    }

    /// Ends the subscription with an error at once; values that wait for demand are lost.
    func fail(_ error: Downstream.Failure) {
        let lost = state.with { state in
            let lost = state.waiting
            state.waiting = Queue()
            state.completion = .failure(error)
            return lost
        }
        flush()
        withExtendedLifetime(lost) {}
    }

    func request(_ demand: Subscribers.Demand) {
        let hooks = state.with { state in
            state.demand += demand
            return state.hooks
        }
        run(mayNest: false)
        hooks?.requested(demand)
    }

    func cancel() { end()?.cancelled() }

    /// Ends the subscription without a word to either side.
    @discardableResult
    func end() -> Hooks? {
        state.with { state in
            let old = state
            state = State(runner: old.runner, phase: old.phase)
            return old
        }.hooks
    }

    /// Keeps a value for a later ``release()``, for publishers that deliver on a scheduler.
    func hold(_ value: Downstream.Input) { state.with { $0.held.append(.value(value)) } }

    /// Keeps the end for a later ``release()``.
    func hold(_ completion: Completion) { state.with { $0.held.append(.completion(completion)) } }

    /// Sends the oldest event that was kept.
    func release() {
        state.with { state in
            switch state.held.popFirst() {
            case .value(let value): state.waiting.append(Item(value: value, delivered: nil))
            case .completion(let completion): state.completion = state.completion ?? completion
            case nil: break
            }
        }
        run(mayNest: true)
    }

    /// Delivers what can be delivered.
    private func run(mayNest: Bool) {
        let me = pthread_self()
        let entry = state.with { state -> (isAllowed: Bool, outer: pthread_t?) in
            // A request from inside `receive(subscription:)` is met at once.
            let mayNest = mayNest || state.phase == .opening
            guard state.phase != .closed, state.runner == nil || (mayNest && state.runner == me) else {
                return (false, nil)
            }
            let outer = state.runner
            state.runner = me
            return (true, outer)
        }
        guard entry.isAllowed else { return }
        while true {
            switch state.with({ next(&$0, outer: entry.outer) }) {
            case .deliver(let item, let downstream):
                let more = downstream.receive(item.value)
                item.delivered?()
                if more > .none { grant(more) }
            case .drop(let item): item.delivered?()
            case .complete(let completion, let old): old.downstream?.receive(completion: completion)
            case .rest: return
            }
        }
    }

    private func grant(_ demand: Subscribers.Demand) {
        let hooks = state.with { state in
            if state.downstream != nil { state.demand += demand }
            return state.hooks
        }
        hooks?.requested(demand)
    }

    private func next(_ state: inout State, outer: pthread_t?) -> Step {
        if let downstream = state.downstream {
            let isSurplus = state.demand == .none
            switch surplus {
            case .drop where isSurplus: if let item = state.waiting.popFirst() { return .drop(item) }
            case .keepLatest where state.waiting.count > 1 && isSurplus:
                if let item = state.waiting.popFirst() { return .drop(item) }
            default: break
            }
            if !isSurplus, let item = state.waiting.popFirst() {
                state.demand -= 1
                return .deliver(item, downstream)
            }
            let isDrained = state.waiting.isEmpty || surplus == .keepLatest
            if let completion = state.completion, isDrained {
                let old = state
                state = State(runner: old.runner, phase: old.phase)
                return .complete(completion, old)
            }
        } else if let item = state.waiting.popFirst() {
            // Sent while or after the subscriber cancelled.
            return .drop(item)
        }
        state.runner = outer
        return .rest
    }
}
