public import Glibc

/// A value that only one thread at a time can access: the standard library's `Mutex` on a pthread mutex.
///
/// The standard library's mutex waits in code that the thread sanitizer does not see, so that it reports false races.
/// Names and rules are the same, so that it can be replaced once that is fixed.
// Proof of `@unchecked Sendable`: the value is accessed only under the lock, and its parts enter and leave by
// `sending`.
public struct Mutex<Value>: ~Copyable, @unchecked Sendable {
    @usableFromInline let lock: UnsafeMutablePointer<pthread_mutex_t>
    @usableFromInline let value: UnsafeMutablePointer<Value>

    /// glibc's PTHREAD_MUTEX_ADAPTIVE_NP.
    private static var adaptive: Int32 { 3 }

    /// Creates a mutex with an initial value.
    public init(_ initial: consuming sending Value) {
        lock = .allocate(capacity: 1)
        // Adaptive: the work under these locks takes less time than falling asleep. With a known type neither
        // initialising nor locking can fail.
        var attributes = pthread_mutexattr_t()
        pthread_mutexattr_init(&attributes)
        pthread_mutexattr_settype(&attributes, Self.adaptive)
        pthread_mutex_init(lock, &attributes)
        pthread_mutexattr_destroy(&attributes)
        value = .allocate(capacity: 1)
        value.initialize(to: initial)
    }

    deinit {
        value.deinitialize(count: 1)
        value.deallocate()
        pthread_mutex_destroy(lock)
        lock.deallocate()
    }

    /// Runs a closure with exclusive access to the value. Must not be called again from within the closure.
    @inlinable
    public borrowing func withLock<Result: ~Copyable, Failure: Error>(
        _ body: (inout sending Value) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result {
        pthread_mutex_lock(lock)
        defer { pthread_mutex_unlock(lock) }
        return try body(&value.pointee)
    }
}
