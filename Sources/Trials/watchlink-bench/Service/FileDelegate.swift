import Foundation
import LinkProtocol
import LinkTransport
import Locking
import WatchConnectivity

/// The sender of a file: learns when it has arrived, and times messages until then.
final class FileDelegate: NSObject, WCSessionDelegate, Sendable {
    private struct State {
        var latencies = Latencies()
        var isFinished = false
    }

    let reachable = DispatchSemaphore(value: 0)
    let finished = DispatchSemaphore(value: 0)
    private let state = Mutex(State())

    var latencies: Latencies { state.withLock { $0.latencies } }

    func session(_ session: WCSession, activationDidCompleteWith state: WCSessionActivationState, error: (any Error)?) {
    }

    func sessionReachabilityDidChange(_ session: WCSession) { if session.isReachable { reachable.signal() } }

    func session(_ session: WCSession, didFinish fileTransfer: WCSessionFileTransfer, error: (any Error)?) {
        state.withLock { $0.isFinished = true }
        finished.signal()
    }

    /// Sends one message after another until the file has arrived.
    func ping(_ session: WCSession) {
        let start = MonotonicTime.now
        session.sendMessageData(Data(count: 900)) { [self] _ in
            let isFinished = state.withLock { state in
                state.latencies.record(MonotonicTime.now.nanoseconds - start.nanoseconds)
                return state.isFinished
            }
            if !isFinished { ping(session) }
        }
    }
}
