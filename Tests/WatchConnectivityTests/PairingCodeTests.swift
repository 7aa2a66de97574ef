import EventLog
import Foundation
import LinkProtocol
import TestSupport
import Testing

@testable import DeviceShell
@testable import SessionStorage
@testable import Storage

/// Makes codes that everybody knows.
private struct OpenSecrets: PairingSecrets {
    static let code = "12345678"

    func make() throws -> (code: String, kept: PairingCode) { (Self.code, PairingCode(hash: Self.code)) }

    func isRight(_ code: String, for kept: PairingCode) -> Bool { code == kept.hash }
}

@Suite("Pairing codes")
struct PairingCodeTests {
    private let scratch: Scratch
    private let store: SessionStore
    private let verifier: PairingCodeVerifier
    private let log = Collector<LogRecord>()

    init() throws {
        scratch = try Scratch()
        store = SessionStore(path: scratch.path("session.sqlite"))
        verifier = PairingCodeVerifier(
            store: store, secrets: OpenSecrets(),
            logger: Logger(service: "test", minimumLevel: .debug) { [log] in log.add($0) })
    }

    private func isAdmitted(_ code: String?) -> Bool {
        verifier.check(Hello(device: Device(identifier: UUID(), role: .companion, name: "w"), pairingCode: code))
    }

    @Test("A code admits one watch")
    func once() throws {
        let code = try verifier.makeCode()
        #expect(code == OpenSecrets.code)
        let isFirst = isAdmitted(code)
        #expect(isFirst)
        let isSecond = isAdmitted(code)
        #expect(!isSecond)
        let kept = try store.pairingCode()
        #expect(kept == nil)
        #expect(log.all.map(\.event) == [.pairingCodeMade, .pairingCodeAccepted, .pairingCodeRefused])
    }

    @Test("The last attempt may be right; one more is refused, also with the right code")
    func attempts() throws {
        for wrong in [PairingCode.attempts - 1, PairingCode.attempts] {
            let code = try verifier.makeCode()
            for _ in 0..<wrong {
                let isGuessed = isAdmitted("0")
                #expect(!isGuessed)
            }
            let left = try store.pairingCode()?.attemptsLeft
            #expect(left == PairingCode.attempts - wrong)
            let isRight = isAdmitted(code)
            #expect(isRight == (wrong < PairingCode.attempts))
        }
    }

    @Test("Without a code nobody is admitted, and a watch that shows none takes no attempt")
    func none() throws {
        let isEarly = isAdmitted(OpenSecrets.code)
        #expect(!isEarly)
        _ = try verifier.makeCode()
        let isSilent = isAdmitted(nil)
        #expect(!isSilent)
        let left = try store.pairingCode()?.attemptsLeft
        #expect(left == PairingCode.attempts)
    }

    @Test("A program that cannot check codes makes none and admits nobody")
    func unlinked() throws {
        _ = try verifier.makeCode()
        let bare = PairingCodeVerifier(store: store, secrets: nil, logger: .silent)
        let watch = Device(identifier: UUID(), role: .companion, name: "w")
        let isAdmitted = bare.check(Hello(device: watch, pairingCode: OpenSecrets.code))
        #expect(!isAdmitted)
        #expect(throws: ControlNotLinked.self) { try bare.makeCode() }
    }

    @Test(
        "An attempt that cannot be counted admits nobody, and neither does a code that cannot be used up",
        arguments: ["INSERT ON pairing_code", "DELETE ON pairing_code WHEN OLD.attempts_left < 5"])
    func unwritable(_ statement: String) throws {
        let code = try verifier.makeCode()
        let sql = "CREATE TRIGGER refusal BEFORE \(statement) BEGIN SELECT RAISE(ABORT, 'refused'); END"
        try store.file.use { database throws(DatabaseError) in try database.execute(sql) }
        let isUnnoticed = isAdmitted(code)
        #expect(!isUnnoticed)
        let kept = try store.pairingCode()
        #expect(kept != nil)
        try store.file.use { database throws(DatabaseError) in try database.execute("DROP TRIGGER refusal") }
        let isRight = isAdmitted(code)
        #expect(isRight)
    }
}
