import Foundation
import Testing

@testable import KeyedArchive

@Suite("Bytes of texts")
struct TextBytesTests {
    @Test("A byte above 127 is found at every place of a text of any length", arguments: 1...33)
    func plain(_ count: Int) {
        let plain = [UInt8](repeating: 0x7F, count: count)
        let isPlain = plain.withUnsafeBytes { $0.isASCII }
        #expect(isPlain)
        for place in 0..<count {
            for byte: UInt8 in [0x80, 0xFF] {
                var other = plain
                other[place] = byte
                let isOtherPlain = other.withUnsafeBytes { $0.isASCII }
                #expect(!isOtherPlain, "\(byte) as byte \(place)")
            }
        }
    }

    @Test("No bytes are plain, and equal each other")
    func none() {
        let none = UnsafeRawBufferPointer(start: nil, count: 0)
        #expect(none.isASCII)
        let isEqual = none.equals(none)
        #expect(isEqual)
        let isOne = [UInt8](repeating: 0, count: 1).withUnsafeBytes { none.equals($0) || $0.equals(none) }
        #expect(!isOne)
    }

    @Test("Bytes that differ at any place, or in their number, are not equal", arguments: [1, 7, 8, 9, 16, 17])
    func equality(_ count: Int) {
        let bytes = (0..<count).map { UInt8($0) }
        func isEqual(_ other: [UInt8]) -> Bool {
            bytes.withUnsafeBytes { mine in other.withUnsafeBytes { mine.equals($0) } }
        }
        let same = isEqual(Array(bytes))
        #expect(same)
        for place in 0..<count {
            var other = bytes
            other[place] ^= 0x80
            let isOtherEqual = isEqual(other)
            #expect(!isOtherEqual, "byte \(place)")
        }
        let isLongerEqual = isEqual(bytes + [0])
        #expect(!isLongerEqual)
        let isShorterEqual = isEqual(Array(bytes.dropLast()))
        #expect(!isShorterEqual)
    }

    @Test("A text with a letter beyond ASCII is written as UTF-16, wherever the letter stands", arguments: 0..<20)
    func written(_ place: Int) throws {
        let letters = String(repeating: "a", count: place) + "\u{E9}" + String(repeating: "b", count: 19 - place)
        let data = try PropertyListValue.string(letters).binaryData()
        let header = Array(data[8..<11])
        #expect(header == [0x6F, 0x10, 20])
        let read = try PropertyListValue(binary: data)
        #expect(read == .string(letters))
    }

    @Test("A text of ASCII is written with a byte for each letter")
    func writtenPlain() throws {
        let data = try PropertyListValue.string(String(repeating: "\u{7F}", count: 20)).binaryData()
        let header = Array(data[8..<12])
        #expect(header == [0x5F, 0x10, 20, 0x7F])
    }

    @Test("A byte that is no UTF-8 is refused, wherever it stands in a text", arguments: 0..<20)
    func refused(_ place: Int) {
        var bytes = [UInt8](repeating: 0x61, count: 20)
        bytes[place] = 0xFF
        let text = bytes.map { String(format: "%02x", $0) }.joined()
        let came = code { try PropertyListValue(binary: PropertyListTests.file("5f1014" + text)) }
        #expect(came == .corruptObject)
    }
}
