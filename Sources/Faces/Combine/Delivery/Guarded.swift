import Locking

/// State that several threads read and change, each under the lock. The bodies never call a subscriber, a publisher or
/// any other code of the client, and never release what a client gave.
// Proof of `@unchecked Sendable`: the state is accessed only under the lock.
final class Guarded<State>: @unchecked Sendable {
    private let lock = ManualLock()
    private var state: State

    init(_ state: State) { self.state = state }

    func with<Result>(_ body: (inout State) -> Result) -> Result {
        lock.lock()
        defer { lock.unlock() }
        return body(&state)
    }

    /// Replaces the state, and returns the previous one, so that its contents are released outside of the lock.
    func exchange(_ new: State) -> State {
        with { state in
            let old = state
            state = new
            return old
        }
    }

    /// Removes and returns the value.
    func take<Value>() -> State where State == Value? { exchange(nil) }
}
