import Foundation
import Testing

@testable import LinkProtocol

@Suite("Identifiers as text")
struct UUIDTextTests {
    @Test("The text is Foundation's, and is read as Foundation reads it, in capital and small letters")
    func foundation() {
        var random = SeededGenerator(seed: 7)
        for _ in 0..<200 {
            let words = (random.next(), random.next())
            let identifier = UUID(uuid: withUnsafeBytes(of: words) { $0.loadUnaligned(as: uuid_t.self) })
            #expect(identifier.text == identifier.uuidString)
            #expect(UUID(text: identifier.uuidString) == identifier)
            #expect(UUID(text: identifier.uuidString.lowercased()) == identifier)
        }
        #expect(UUID.unknownPeer.text == "00000000-0000-0000-0000-000000000000")
    }

    @Test(
        "Other text is no identifier",
        arguments: [
            "", "-", "0123456789AB-CDEF-0123-4567-89ABCDEF", "01234567-89AB-CDEF-0123-456789ABCDE",
            "01234567-89AB-CDEF-0123-456789ABCDEF0", "0123456789AB-CDEF-0123-4567-89ABCDEF",
            "01234567-89AB-CDEF-0123-456789ABCDEG", "01234567-89AB-CDEF-0123-456789ABCDE/",
            "01234567-89AB-CDEF-0123-456789ABCDE:", "01234567-89AB-CDEF-0123-456789ABCD@F",
            "01234567-89AB-CDEF-0123-456789ABCD`F", "g1234567-89ab-cdef-0123-456789abcdef",
            "01234567+89AB-CDEF-0123-456789ABCDEF", "01234567-89AB-CDEF-01230456789ABCDEF",
            "01234567-89AB-CDEF-0123-456789ABCDé",
        ])
    func invalid(text: String) {
        #expect(UUID(text: text) == nil)
        #expect(UUID(uuidString: text) == nil)
    }
}
