// The names are Apple's.
// swift-format-ignore-file: AlwaysUseLowerCamelCase, TypeNamesShouldBeCapitalized

import Glibc
import Synchronization

/// A lock in four bytes. It must not be moved while it is in use: allocate it.
public struct os_unfair_lock_s {
    fileprivate var state: UInt32 = 0

    /// Creates an unlocked lock.
    public init() {}
}

/// A lock in four bytes.
public typealias os_unfair_lock = os_unfair_lock_s
/// A pointer to a lock.
public typealias os_unfair_lock_t = UnsafeMutablePointer<os_unfair_lock_s>

/// Takes a lock; waits while another thread has it. A waiting thread yields its processor again and again.
public func os_unfair_lock_lock(_ lock: os_unfair_lock_t) {
    while !os_unfair_lock_trylock(lock) { sched_yield() }
}

/// Takes a lock if no one has it. Returns true on success.
public func os_unfair_lock_trylock(_ lock: os_unfair_lock_t) -> Bool {
    withAtomic(lock) { $0.compareExchange(expected: 0, desired: 1, ordering: .acquiring).exchanged }
}

/// Gives back a lock, which the calling thread must have.
public func os_unfair_lock_unlock(_ lock: os_unfair_lock_t) {
    withAtomic(lock) { $0.store(0, ordering: .releasing) }
}

private func withAtomic<Result>(_ lock: os_unfair_lock_t, _ body: (borrowing Atomic<UInt32>) -> Result) -> Result {
    // An atomic has the layout of its value.
    UnsafeMutableRawPointer(lock).withMemoryRebound(to: Atomic<UInt32>.self, capacity: 1) { body($0.pointee) }
}
