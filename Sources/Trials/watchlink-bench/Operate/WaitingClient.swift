import ControlSocket
import Foundation
import LinkProtocol
import LinkTransport
import Locking
import ServiceRuntime
import Trials

/// A client that asks a host for the number of its quizzes again and again, and keeps the longest wait: what an
/// operator beside a long task feels.
final class WaitingClient: Sendable {
    /// The pause between two questions. 1 ms: no wait of several is missed, and the host is not kept busy.
    private static let pause: TimeInterval = 0.001

    private struct State {
        var latencies = Latencies()
        var longest = 0.0
        var isStopped = false
        var failure: String?
    }

    private let state = Mutex(State())
    private let ended = DispatchSemaphore(value: 0)

    init(asking services: TrialServices) {
        let thread = Thread { [self, path = services.state.hostControlSocket] in
            ask(path)
            ended.signal()
        }
        thread.start()
    }

    /// Stops asking.
    ///
    /// - Returns: The waits in seconds.
    func stop() throws -> (p50: Double, longest: Double, count: Int) {
        state.withLock { $0.isStopped = true }
        ended.wait()
        let state = state.withLock { $0 }
        if let failure = state.failure { throw BenchError("the host does not answer: \(failure)") }
        return (state.latencies.percentile(0.5) / 1e9, state.longest, state.latencies.count)
    }

    private func ask(_ path: String) {
        do throws(ControlClient.Failure) {
            let client = try ControlClient(path: path)
            while !state.withLock({ $0.isStopped }) {
                let start = MonotonicTime.now
                _ = try client.call("quizzes.count")
                let waited = MonotonicTime.now - start
                state.withLock { state in
                    state.latencies.record(waited.wholeNanoseconds)
                    state.longest = max(state.longest, waited.inSeconds)
                }
                Thread.sleep(forTimeInterval: Self.pause)
            }
        } catch {
            state.withLock { $0.failure = "\(error)" }
        }
    }
}
