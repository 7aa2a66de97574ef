import Foundation
import LinkProtocol
import ServiceRuntime

/// Asks a service over its restarts: what it could not answer is asked again as soon as it is back.
///
/// For requests that may come twice without harm.
final class PatientClient {
    private let connect: () throws(ControlClient.Failure) -> ControlClient
    private let patience: Duration
    private let onLost: (ControlClient.Failure) -> Void
    private let backoff = Backoff(initial: .milliseconds(50), maximum: .seconds(1))
    private var client: ControlClient?

    /// Connects once: a service that does not run at all is not waited for.
    ///
    /// - Parameters:
    ///   - patience: How long a service that is gone is waited for.
    ///   - onLost: Called when the wait begins, with why.
    init(
        patience: Duration, connect: @escaping () throws(ControlClient.Failure) -> ControlClient,
        onLost: @escaping (ControlClient.Failure) -> Void
    ) throws(ControlClient.Failure) {
        self.patience = patience
        self.connect = connect
        self.onLost = onLost
        client = try connect()
    }

    /// - Throws: The service's own refusal, or why there was no answer for as long as the patience lasts.
    func call(_ method: String, _ params: JSONValue) throws(ControlClient.Failure) -> JSONValue {
        let start = ContinuousClock.now
        var failures = 0
        while true {
            do {
                let client = if let client { client } else { try connect() }
                self.client = client
                return try client.call(method, params)
            } catch {
                if case .refused = error { throw error }
                client = nil
                if failures == 0 { onLost(error) }
                failures += 1
                let delay = backoff.delay(afterFailures: failures, jitter: 1)
                guard ContinuousClock.now - start + delay < patience else { throw error }
                Thread.sleep(forTimeInterval: delay.inSeconds)
            }
        }
    }
}
