import Glibc

/// A lock with explicit lock and unlock calls, for a thread that holds it except while it sleeps.
// Proof of `@unchecked Sendable`: its only state is the system's lock.
public final class ManualLock: @unchecked Sendable {
    private let mutex: UnsafeMutablePointer<pthread_mutex_t>

    /// Creates an unlocked lock.
    public init() {
        mutex = .allocate(capacity: 1)
        // With default attributes neither initialising nor locking can fail.
        pthread_mutex_init(mutex, nil)
    }

    deinit {
        pthread_mutex_destroy(mutex)
        mutex.deallocate()
    }

    /// Acquires the lock; blocks while another thread holds it.
    public func lock() { pthread_mutex_lock(mutex) }

    /// Tries to acquire the lock without blocking, and returns true on success.
    public func tryLock() -> Bool { pthread_mutex_trylock(mutex) == 0 }

    /// Releases the lock, which the calling thread must hold.
    public func unlock() { pthread_mutex_unlock(mutex) }
}
