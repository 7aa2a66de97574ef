import Configuration
import ControlSocket
import Foundation
import LinkProtocol

/// Asks a service over its restarts: what it could not answer is asked again as soon as it is back.
///
/// For requests that may come twice without harm.
final class PatientClient {
    private let connect: () throws(ControlClient.Failure) -> ControlClient
    private let patience: Duration
    private let isAsked: Bool
    private let onLost: (ControlClient.Failure) -> Void
    private let backoff = Backoff(initial: .milliseconds(50), maximum: .seconds(1))
    private var client: ControlClient?
    private var wasThere = false

    /// - Parameters:
    ///   - patience: How long a service that is gone is waited for.
    ///   - isAsked: Whether a person asked for the patience. Otherwise a service that was stopped, or never started, is not waited for;
    ///     one that died is: it may come back.
    ///   - onLost: Called when the wait begins, with why.
    init(
        patience: Duration, isAsked: Bool = false, connect: @escaping () throws(ControlClient.Failure) -> ControlClient,
        onLost: @escaping (ControlClient.Failure) -> Void
    ) {
        self.patience = patience
        self.isAsked = isAsked
        self.connect = connect
        self.onLost = onLost
    }

    /// - Throws: The service's own refusal, or why there was no answer for as long as the patience lasts.
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
        // A service that stops takes its socket with it, one that dies does not.
        case .notRunning(let path): wasThere || isAsked || FileManager.default.fileExists(atPath: path)
        case .notAnswering, .late, .connection, .protocolViolation: true
        }
    }
}
