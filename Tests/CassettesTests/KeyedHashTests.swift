import Foundation
import Testing

@testable import Cassettes

@Suite("The hashes of a cassette")
struct KeyedHashTests {
    private static func hex(_ bytes: Data) -> String { bytes.map { String(format: "%02x", $0) }.joined() }

    @Test("The keyed hash is that of RFC 4231")
    func keyed() {
        let first = KeyedHash(key: [UInt8](repeating: 0x0B, count: 20)).code(Data("Hi There".utf8))
        #expect(Self.hex(first) == "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7")
        let second = KeyedHash(key: Array("Jefe".utf8)).code(Data("what do ya want for nothing?".utf8))
        #expect(Self.hex(second) == "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843")
    }

    @Test("A token has no vowel and no digit, depends on type and key, and is equal for equal values")
    func token() {
        let hash = KeyedHash()
        let token = hash.token("string", Data("Anna".utf8))
        #expect(TokenLetters.isHash(token, count: 15), "\(token)")
        #expect(!token.contains { "aeiouy0123456789".contains($0) })
        #expect(token == hash.token("string", Data("Anna".utf8)))
        #expect(token != hash.token("data", Data("Anna".utf8)))
        #expect(token != hash.token("string", Data("Anne".utf8)))
        #expect(token != KeyedHash().token("string", Data("Anna".utf8)), "the key is drawn anew")
    }
}
