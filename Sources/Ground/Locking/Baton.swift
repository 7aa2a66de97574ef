import Glibc

/// A lock with explicit lock and unlock calls, for a thread that holds it except while it sleeps.
// Proof of `@unchecked Sendable`: its only state is the system's lock.
public final class Baton: @unchecked Sendable {
    private let lock: UnsafeMutablePointer<pthread_mutex_t>

    /// Creates an unlocked lock.
    public init() {
        lock = .allocate(capacity: 1)
        // With default attributes neither initialising nor locking can fail.
        pthread_mutex_init(lock, nil)
    }

    deinit {
        pthread_mutex_destroy(lock)
        lock.deallocate()
    }

    /// Acquires the lock; blocks while another thread holds it.
    public func take() { pthread_mutex_lock(lock) }

    /// Tries to acquire the lock without blocking, and returns true on success.
    public func tryToTake() -> Bool { pthread_mutex_trylock(lock) == 0 }

    /// Releases the lock, which the calling thread must hold.
    public func giveBack() { pthread_mutex_unlock(lock) }
}
