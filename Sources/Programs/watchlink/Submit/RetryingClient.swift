import Configuration
import ControlSocket
import Foundation
import LinkProtocol

/// A client that survives restarts of the service: unanswered requests are resent when it is back.
///
/// Only for idempotent requests.
final class RetryingClient {
    private let connect: () throws(ControlClient.Failure) -> ControlClient
    private let patience: Duration
    private let isAsked: Bool
    private let onLost: (ControlClient.Failure) -> Void
    private let backoff = Backoff(initial: .milliseconds(50), maximum: .seconds(1))
    private var client: ControlClient?
    private var wasThere = false

    /// - Parameters:
    ///   - patience: The time to wait for a service that is gone.
    ///   - isAsked: True if the user requested the wait. Otherwise only a service that died is waited for, as it may
    ///     restart, not one that was stopped or never started.
    ///   - onLost: Called with the failure when the wait begins.
    init(
        patience: Duration, isAsked: Bool = false, connect: @escaping () throws(ControlClient.Failure) -> ControlClient,
        onLost: @escaping (ControlClient.Failure) -> Void
    ) {
        self.patience = patience
        self.isAsked = isAsked
        self.connect = connect
        self.onLost = onLost
    }

    /// Sends a request, again if necessary, and returns the answer.
    ///
    /// - Throws: The service's refusal, or the last failure once the patience is over.
    func call(_ method: String, _ params: JSONValue) throws(ControlClient.Failure) -> JSONValue {
        let start = ContinuousClock.now
        var failures = 0
        while true {
            do {
                let client = if let client { client } else { try connect() }
                self.client = client
                wasThere = true
                return try client.call(method, params)
            } catch {
                guard mayComeBack(after: error) else { throw error }
                client = nil
                if failures == 0 { onLost(error) }
                failures += 1
                let delay = backoff.delay(afterFailures: failures, jitter: 1)
                guard ContinuousClock.now - start + delay < patience else { throw error }
                Thread.sleep(forTimeInterval: delay.inSeconds)
            }
        }
    }

    private func mayComeBack(after failure: ControlClient.Failure) -> Bool {
        switch failure {
        case .refused, .notAllowed: false
        // A service that stops removes its socket; one that crashes does not.
        case .notRunning(let path): wasThere || isAsked || FileManager.default.fileExists(atPath: path)
        case .notAnswering, .late, .connection, .protocolViolation: true
        }
    }
}
