import Locking

/// A lock and the state that it guards. Copies share both.
///
/// On Apple's platforms a thread that takes the lock again stops the program; here it waits forever.
public struct OSAllocatedUnfairLock<State>: @unchecked Sendable {
    // Proof of `@unchecked Sendable`: the state is accessed only under the lock. The methods that do not demand Sendable
    // values say so in their names, as on Apple's platforms.
    private final class Storage {
        let lock = ManualLock()
        var state: State
        init(_ state: State) { self.state = state }
    }

    private let storage: Storage

    /// Creates a lock with a state that may not be Sendable.
    public init(uncheckedState initialState: State) { storage = Storage(initialState) }

    /// Runs a closure under the lock; its values may not be Sendable.
    public func withLockUnchecked<R>(_ body: (inout State) throws -> R) rethrows -> R {
        storage.lock.lock()
        defer { storage.lock.unlock() }
        return try body(&storage.state)
    }

    /// Runs a closure under the lock.
    public func withLock<R: Sendable>(_ body: @Sendable (inout State) throws -> R) rethrows -> R {
        try withLockUnchecked(body)
    }

    /// Runs a closure under the lock if no one else has it; returns nil otherwise. Its values may not be Sendable.
    public func withLockIfAvailableUnchecked<R>(_ body: (inout State) throws -> R) rethrows -> R? {
        guard storage.lock.tryLock() else { return nil }
        defer { storage.lock.unlock() }
        return try body(&storage.state)
    }

    /// Runs a closure under the lock if no one else has it; returns nil otherwise.
    public func withLockIfAvailable<R: Sendable>(_ body: @Sendable (inout State) throws -> R) rethrows -> R? {
        try withLockIfAvailableUnchecked(body)
    }
}

extension OSAllocatedUnfairLock where State: Sendable {
    /// Creates a lock with a state.
    public init(initialState: State) { self.init(uncheckedState: initialState) }
}

extension OSAllocatedUnfairLock where State == Void {
    /// Creates a lock without state.
    public init() { self.init(uncheckedState: ()) }

    /// Takes the lock; waits while another thread has it.
    @available(*, noasync, message: "Use withLock for scoped locking")
    public func lock() { storage.lock.lock() }

    /// Gives the lock back, which the calling thread must have.
    @available(*, noasync, message: "Use withLock for scoped locking")
    public func unlock() { storage.lock.unlock() }

    /// Takes the lock if no one else has it. Returns true on success.
    @available(*, noasync, message: "Use withLockIfAvailable for scoped locking")
    public func lockIfAvailable() -> Bool { storage.lock.tryLock() }

    /// Runs a closure under the lock; its result may not be Sendable.
    public func withLockUnchecked<R>(_ body: () throws -> R) rethrows -> R { try withLockUnchecked { _ in try body() } }

    /// Runs a closure under the lock.
    public func withLock<R: Sendable>(_ body: @Sendable () throws -> R) rethrows -> R {
        try withLockUnchecked { _ in try body() }
    }

    /// Runs a closure under the lock if no one else has it; returns nil otherwise. Its result may not be Sendable.
    public func withLockIfAvailableUnchecked<R>(_ body: () throws -> R) rethrows -> R? {
        try withLockIfAvailableUnchecked { _ in try body() }
    }

    /// Runs a closure under the lock if no one else has it; returns nil otherwise.
    public func withLockIfAvailable<R: Sendable>(_ body: @Sendable () throws -> R) rethrows -> R? {
        try withLockIfAvailableUnchecked { _ in try body() }
    }
}
