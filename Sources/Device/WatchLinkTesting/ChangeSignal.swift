import Foundation
import Locking

/// Tells those who wait that something has happened; what, they look at themselves.
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

    /// Waits for a change after a generation; returns at once if there was one.
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

    /// Waits until a condition holds, looking again at each change.
    ///
    /// - Throws: ``WaitTimeout`` if it does not hold in time, and whatever the condition throws.
    func wait(
        for what: String, within limit: Duration, _ condition: () async throws -> Bool, log: () -> [String]
    ) async throws {
        let clock = ContinuousClock()
        let deadline = clock.now + limit
        // The limit is an event like the others: it wakes the wait, which then finds that it is over.
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
