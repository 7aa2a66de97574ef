import EventLog
import LinkProtocol
import SessionStorage

/// Keeps the pairing code and looks at those that new watches show. On the loop.
// Proof of `@unchecked Sendable`: used on the session's loop only.
final class PairingDesk: @unchecked Sendable {
    private let store: SessionStore
    /// Nil if the program has none.
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

    /// Whether a watch shows the code that holds. A right one is used up, and so is one after too many tries.
    func check(_ hello: Hello) -> Bool {
        do {
            guard let secrets else { return refused(hello, "nobody can look at it: \(ControlNotLinked())") }
            guard let shown = hello.pairingCode else { return refused(hello, "it showed none") }
            guard var kept = try store.pairingCode() else { return refused(hello, "no code holds: make one") }
            guard kept.spendAttempt() else { return refused(hello, "too many tries: make a new one") }
            // The try is counted before its outcome is known: a crash must not give it back.
            try store.keep(kept)
            guard secrets.isRight(shown, for: kept) else { return refused(hello, "it is wrong") }
            try store.keep(nil)
            logger.log(.pairingCodeAccepted, [.device(hello.device.identifier)])
            return true
        } catch {
            // The database has logged why.
            return false
        }
    }

    private func refused(_ hello: Hello, _ reason: String) -> Bool {
        logger.log(.pairingCodeRefused, [.device(hello.device.identifier), .reason(reason)])
        return false
    }
}
