import Glibc

/// A lock that is taken and given back by hand: where one thread keeps it but for the times that it sleeps.
// Proof of `@unchecked Sendable`: the system's own lock is all that it has.
public final class Baton: @unchecked Sendable {
    private let lock: UnsafeMutablePointer<pthread_mutex_t>

    public init() {
        lock = .allocate(capacity: 1)
        // With default attributes neither initialising nor locking can fail.
        pthread_mutex_init(lock, nil)
    }

    deinit {
        pthread_mutex_destroy(lock)
        lock.deallocate()
    }

    public func take() { pthread_mutex_lock(lock) }

    /// Whether it was free, and is the caller's now.
    public func tryToTake() -> Bool { pthread_mutex_trylock(lock) == 0 }

    public func giveBack() { pthread_mutex_unlock(lock) }
}
