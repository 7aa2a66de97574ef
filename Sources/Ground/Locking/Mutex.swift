public import Glibc

/// A value that only one thread at a time can access: the standard library's `Mutex` on a pthread mutex.
///
/// The standard library's mutex waits in code that the thread sanitizer does not see, so that it reports false races.
/// Names and rules are the same, so that it can be replaced once that is fixed.
// Proof of `@unchecked Sendable`: the value is accessed only under the lock, and its parts enter and leave by
// `sending`.
public struct Mutex<Value>: ~Copyable, @unchecked Sendable {
    /// Side by side: whoever takes the lock has the value in the same cache line.
    @usableFromInline
    struct Cell {
        @usableFromInline var lock: pthread_mutex_t
        @usableFromInline var value: Value
    }

    @usableFromInline let cell: UnsafeMutablePointer<Cell>

    /// The first of the cell's properties, at its address.
    @inlinable var lock: UnsafeMutablePointer<pthread_mutex_t> {
        UnsafeMutableRawPointer(cell).assumingMemoryBound(to: pthread_mutex_t.self)
    }

    /// glibc's PTHREAD_MUTEX_ADAPTIVE_NP.
    private static var adaptive: Int32 { 3 }

    /// Creates a mutex with an initial value.
    public init(_ initial: consuming sending Value) {
        cell = .allocate(capacity: 1)
        cell.initialize(to: Cell(lock: pthread_mutex_t(), value: initial))
        // Adaptive: the work under these locks takes less time than falling asleep. With a known type neither
        // initialising nor locking can fail.
        var attributes = pthread_mutexattr_t()
        pthread_mutexattr_init(&attributes)
        pthread_mutexattr_settype(&attributes, Self.adaptive)
        pthread_mutex_init(lock, &attributes)
        pthread_mutexattr_destroy(&attributes)
    }

    deinit {
        pthread_mutex_destroy(lock)
        cell.deinitialize(count: 1)
        cell.deallocate()
    }

    /// Runs a closure with exclusive access to the value. Must not be called again from within the closure.
    @inlinable
    public borrowing func withLock<Result: ~Copyable, Failure: Error>(
        _ body: (inout sending Value) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result {
        pthread_mutex_lock(lock)
        defer { pthread_mutex_unlock(lock) }
        return try body(&cell.pointee.value)
    }
}
