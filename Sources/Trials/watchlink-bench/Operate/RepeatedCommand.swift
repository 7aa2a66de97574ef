import Foundation
import Locking

/// Work that is repeated on a thread of its own until it is stopped; begun work ends.
final class RepeatedCommand: Sendable {
    private struct State {
        var isStopped = false
        var failure: (any Error)?
    }

    private let state = Mutex(State())
    private let ended = DispatchSemaphore(value: 0)

    /// - Parameter work: The work; its argument counts the rounds.
    init(_ work: @escaping @Sendable (_ round: Int) throws -> Void) {
        let thread = Thread { [self] in
            repeatWork(work)
            ended.signal()
        }
        thread.start()
    }

    /// Waits for the end of the present round. Throws the error of the work.
    func stop() throws {
        state.withLock { $0.isStopped = true }
        ended.wait()
        if let failure = state.withLock({ $0.failure }) { throw failure }
    }

    private func repeatWork(_ work: (Int) throws -> Void) {
        var round = 0
        do {
            // At least one round: the work may be asked to stop before its thread has begun.
            repeat {
                try work(round)
                round += 1
            } while !state.withLock { $0.isStopped }
        } catch {
            state.withLock { $0.failure = error }
        }
    }
}
