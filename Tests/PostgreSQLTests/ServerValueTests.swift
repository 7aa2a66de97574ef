import Files
import Foundation
import PostgreSQLRules
import RecordStorage
import Testing

@Suite("Values for servers")
struct ServerValueTests {
    private static func hex(_ data: Data) -> String {
        data.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
    }

    @Test(
        "Digests are those of the standard",
        arguments: [
            ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
            ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
            (
                "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
                "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
            ),
        ])
    func digests(_ text: String, _ expected: String) {
        #expect(Self.hex(ContentDigest.of(Data(text.utf8))) == expected)
    }

    @Test("Digests of every length around a block differ, also for a slice of other data")
    func lengths() {
        let data = Data((0..<300).map { UInt8(truncatingIfNeeded: $0) })
        let digests = (0...200).map { Self.hex(ContentDigest.of(data.prefix($0))) }
        #expect(Set(digests).count == 201)
        #expect(ContentDigest.of(data[100..<200]) == ContentDigest.of(Data(data[100..<200])))
        // sha256sum of 119 and 120 bytes “a”.
        #expect(
            Self.hex(ContentDigest.of(Data(repeating: 97, count: 119)))
                == "31eba51c313a5c08226adf18d4a359cfdfd8d2e816b13f4af952f7ea6584dcfb")
        #expect(
            Self.hex(ContentDigest.of(Data(repeating: 97, count: 120)))
                == "2f3d335432c70b580af0e8e1b3674a7c020d683aa5f73aaaedfdc55af904c21c")
    }

    @Test("An array has its dimension, its element type and each element's length")
    func arrays() throws {
        let texts = try #require(ServerParameter.texts(["a", "", "é"]).bytes)
        #expect(
            texts == [
                0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 25, 0, 0, 0, 3, 0, 0, 0, 1, 0, 0, 0, 1, 97, 0, 0, 0, 0, 0, 0, 0, 2,
                0xc3, 0xa9,
            ])
        let numbers = try #require(ServerParameter.integers([-2]).bytes)
        #expect(numbers.suffix(12) == [0, 0, 0, 8, 255, 255, 255, 255, 255, 255, 255, 254])
        let empty = try #require(ServerParameter.identifiers([]).bytes)
        #expect(empty == [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 11, 134])
    }

    @Test("A NUL, which a server refuses, becomes its symbol, and nothing else changes")
    func nul() {
        #expect(Array("a\0b\0".storable.utf8) == Array("a␀b␀".utf8))
        #expect(Array("e\u{301}👩‍👧\r\n".storable.utf8) == Array("e\u{301}👩‍👧\r\n".utf8))
    }

    @Test("Fields come back as they were sent")
    func fields() {
        let identifier = UUID()
        let parameters: [ServerParameter] = [
            .integer(.min), .number(-7), .real(-0.0), .text("ü"), .identifier(identifier), .integer(nil),
        ]
        let row = ServerRow(parameters.map { $0.bytes.map { Data($0) } })
        #expect(row.integer(0) == .min)
        #expect(row.integer(1) == -7)
        #expect(row.real(2)?.sign == .minus)
        #expect(row.text(3) == "ü")
        #expect(row.identifier(4) == identifier)
        #expect(row.bytes(5) == nil)
        // What another program wrote, or another server sends.
        #expect(row.integer(3) == nil)
        #expect(row.identifier(0) == nil)
        #expect(row.real(1) == nil)
        #expect(row.text(99) == nil)
    }

    @Test("A statement's name is that of its text alone")
    func names() {
        let (first, second) = (ServerStatement("SELECT $1", [.integer(1)]), ServerStatement("SELECT $1", [.integer(2)]))
        #expect(first.name == second.name)
        #expect(first.name != ServerStatement("SELECT $1 ").name)
        #expect(first.name.utf8.count < 64)
    }
}
