import Dispatch
import Locking
import Testing
import os

@Suite("Locks")
struct LockTests {
    private static let threads = 4
    private static let rounds = 5_000

    @Test("A lock's state is changed by one thread at a time")
    func state() {
        let lock = OSAllocatedUnfairLock(initialState: 0)
        DispatchQueue.concurrentPerform(iterations: Self.threads) { _ in
            for _ in 0..<Self.rounds { lock.withLock { $0 += 1 } }
        }
        let count = lock.withLock { $0 }
        #expect(count == Self.threads * Self.rounds)
    }

    @Test("A lock without state guards what is used between lock and unlock")
    func plain() {
        let lock = OSAllocatedUnfairLock()
        let count = UnsafeCounter()
        DispatchQueue.concurrentPerform(iterations: Self.threads) { _ in
            for _ in 0..<Self.rounds {
                lock.lock()
                count.value += 1
                lock.unlock()
            }
        }
        #expect(count.value == Self.threads * Self.rounds)
    }

    @Test("A lock that is taken is not available")
    func available() {
        let lock = OSAllocatedUnfairLock(initialState: 1)
        let inside = lock.withLock { _ in lock.withLockIfAvailable { $0 } }
        #expect(inside == nil)
        let outside = lock.withLockIfAvailable { $0 }
        #expect(outside == 1)
    }

    @Test("The lock of four bytes guards, too")
    func small() {
        let lock = UncheckedBox(os_unfair_lock_t.allocate(capacity: 1))
        lock.value.initialize(to: os_unfair_lock())
        defer { lock.value.deallocate() }
        let count = UnsafeCounter()
        DispatchQueue.concurrentPerform(iterations: Self.threads) { _ in
            for _ in 0..<Self.rounds {
                os_unfair_lock_lock(lock.value)
                count.value += 1
                os_unfair_lock_unlock(lock.value)
            }
        }
        #expect(count.value == Self.threads * Self.rounds)
        #expect(os_unfair_lock_trylock(lock.value))
        #expect(!os_unfair_lock_trylock(lock.value))
        os_unfair_lock_unlock(lock.value)
    }

    /// A number that nothing but the lock under test guards.
    // Proof of `@unchecked Sendable`: that is the claim under test.
    private final class UnsafeCounter: @unchecked Sendable {
        var value = 0
    }
}
