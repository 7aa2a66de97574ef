import Foundation
import Locking

/// A signal that wakes waiters after a change; they check their conditions themselves.
public final class ChangeSignal: Sendable {
    private struct State {
        var generation: UInt64 = 0
        var waiters: [CheckedContinuation<Void, Never>] = []
        var devices: @Sendable () -> [DeviceEvidence] = { [] }
    }

    private let state = Mutex(State())

    var generation: UInt64 { state.withLock { $0.generation } }

    /// The devices that signal, for the report of a failed wait.
    var devices: [DeviceEvidence] { state.withLock { $0.devices }() }

    /// Names the devices that signal.
    func follow(_ devices: @escaping @Sendable () -> [DeviceEvidence]) { state.withLock { $0.devices = devices } }

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
        for what: String, within limit: Duration, at place: CallSite, _ condition: () async throws -> Bool
    ) async throws {
        guard try await holds(within: limit, condition) else { throw WaitTimeout(what, limit, at: place, devices) }
    }

    /// Waits until a condition holds, and checks it again after each change.
    ///
    /// - Parameter pause: The time after which it is checked without a change as well; nil for never.
    /// - Returns: False if it does not hold in time.
    func holds(
        within limit: Duration, checkedEvery pause: Duration? = nil, _ condition: () async throws -> Bool
    ) async throws -> Bool {
        let clock = ContinuousClock()
        let deadline = clock.now + limit
        // The time-out also signals a change: it wakes the wait, which then finds the deadline passed.
        let alarm = Task {
            var isOver = false
            while !isOver {
                try await Task.sleep(until: pause.map { min(deadline, clock.now + $0) } ?? deadline, clock: clock)
                // Before the signal: the wait that the last one wakes must find the deadline passed.
                isOver = clock.now >= deadline
                signal()
            }
        }
        defer { alarm.cancel() }
        while true {
            let generation = generation
            if try await condition() { return true }
            guard clock.now < deadline else { return false }
            await change(after: generation)
        }
    }
}
