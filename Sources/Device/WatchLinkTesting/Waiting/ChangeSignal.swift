import Foundation
import Locking

/// A signal that wakes waiters after a change; they check their conditions themselves.
final class ChangeSignal: Sendable {
    private struct State {
        var generation: UInt64 = 0
        var waiters: [CheckedContinuation<Void, Never>] = []
    }

    private let state = Mutex(State())

    var generation: UInt64 { state.withLock { $0.generation } }

    func signal() {
        let waiters = state.withLock { state in
            state.generation += 1
            defer { state.waiters = [] }
            return state.waiters
        }
        for waiter in waiters { waiter.resume() }
    }

    /// Waits for a change after a generation; returns immediately if there was one.
    func change(after generation: UInt64) async {
        await withCheckedContinuation { continuation in
            let isOver = state.withLock { state in
                guard state.generation == generation else { return true }
                state.waiters.append(continuation)
                return false
            }
            if isOver { continuation.resume() }
        }
    }

    /// Waits until a condition holds, and checks it again after each change.
    ///
    /// - Throws: ``WaitTimeout`` if it does not hold in time, and any error of the condition.
    func wait(
        for what: String, within limit: Duration, _ condition: () async throws -> Bool, log: () -> [String]
    ) async throws {
        let clock = ContinuousClock()
        let deadline = clock.now + limit
        // The time-out also signals a change: it wakes the wait, which then finds the deadline passed.
        let alarm = Task {
            try await Task.sleep(until: deadline, clock: clock)
            signal()
        }
        defer { alarm.cancel() }
        while true {
            let generation = generation
            if try await condition() { return }
            guard clock.now < deadline else { throw WaitTimeout(what: what, limit: limit, log: log()) }
            await change(after: generation)
        }
    }
}
