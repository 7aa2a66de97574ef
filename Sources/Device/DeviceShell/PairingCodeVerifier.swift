import EventLog
import LinkProtocol
import SessionStorage

/// A store of the pairing code, which also checks the codes that new watches present. On the loop.
// Proof of `@unchecked Sendable`: used on the session's loop only.
final class PairingCodeVerifier: @unchecked Sendable {
    private let store: SessionStore
    /// Nil if the program is not linked with DeviceControl.
    private let secrets: (any PairingSecrets)?
    private let logger: Logger

    init(store: SessionStore, secrets: (any PairingSecrets)?, logger: Logger) {
        self.store = store
        self.secrets = secrets
        self.logger = logger
    }

    func makeCode() throws -> String {
        guard let secrets else { throw ControlNotLinked() }
        let (code, kept) = try secrets.make()
        try store.keep(kept)
        logger.log(.pairingCodeMade)
        return code
    }

    /// Returns whether a watch presents the current code. A correct code is used up, as is one after too many attempts.
    func check(_ hello: Hello) -> Bool {
        do {
            guard let secrets else { return refused(hello, "the code cannot be checked: \(ControlNotLinked())") }
            guard let shown = hello.pairingCode else { return refused(hello, "the watch presented no code") }
            guard var kept = try store.pairingCode() else { return refused(hello, "there is no code: make one") }
            guard kept.spendAttempt() else { return refused(hello, "too many attempts: make a new code") }
            // The attempt is counted before its outcome is known: a crash must not undo the count.
            try store.keep(kept)
            guard secrets.isRight(shown, for: kept) else { return refused(hello, "the code is wrong") }
            try store.keep(nil)
            logger.log(.pairingCodeAccepted, [.device(hello.device.identifier)])
            return true
        } catch {
            // The database has logged the reason.
            return false
        }
    }

    private func refused(_ hello: Hello, _ reason: String) -> Bool {
        logger.log(.pairingCodeRefused, [.device(hello.device.identifier), .reason(reason)])
        return false
    }
}
