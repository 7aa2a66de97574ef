import Foundation
import LinkProtocol
import Testing

@testable import DeviceControl

@Suite("Hashes of pairing codes")
struct CryptSecretsTests {
    private let secrets = CryptSecrets()

    @Test("A code is recognised, also as people write long numbers; another one is not")
    func codes() throws {
        let (code, kept) = try secrets.make()
        #expect(code.count == PairingCode.digits, "\(code)")
        #expect(code.allSatisfy { $0.isNumber }, "\(code)")
        #expect(secrets.isRight(code, for: kept))
        #expect(secrets.isRight("\(code.prefix(4)) \(code.suffix(4))", for: kept))
        for wrong in ["", String(code.dropLast()), code + "0", String(code.reversed()) + "x"] {
            #expect(!secrets.isRight(wrong, for: kept), "\(wrong)")
        }
    }

    @Test("What is kept is a salted hash, another one each time")
    func salt() throws {
        let (first, second) = (try secrets.make(), try secrets.make())
        #expect(first.kept.hash.hasPrefix("$6$"))
        #expect(!first.kept.hash.contains(first.code))
        #expect(first.kept.hash != second.kept.hash)
        #expect(!secrets.isRight(first.code, for: second.kept))
    }

    @Test("What is no hash recognises nothing")
    func damaged() {
        for hash in ["", "*0", "$6$", "12345678", "$9$salt$x"] {
            #expect(!secrets.isRight("12345678", for: PairingCode(hash: hash)), "\(hash)")
        }
    }
}
