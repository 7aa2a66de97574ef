import Foundation
import Testing

@testable import Configuration

/// Tests of the writing of JSON against Foundation's encoder.
@Suite("JSON in one pass")
struct JSONWriterTests {
    private func written(_ value: JSONValue) throws -> String {
        var writer = JSONWriter()
        try writer.value(value)
        return String(decoding: writer.bytes, as: UTF8.self)
    }

    private func encoded(_ value: JSONValue) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(value), as: UTF8.self)
    }

    @Test("A value has the bytes that the encoder gives it")
    func values() throws {
        let scalars = (0...0x2FF).compactMap(Unicode.Scalar.init).map { JSONValue.string("a\($0)\($0)z") }
        let texts: [JSONValue] = ["", "\"", "\\", "\\\"", "a/b", "é漢👩‍👩‍👧", "\u{2028}\u{FEFF}\u{7F}"]
        let numbers: [Double] = [
            0, -0.0, 1, -1, 3.0, 0.1, 1.5, 10.0 / 3, 1e15, 1e16, 1e17, 1e20, 1e21, 1e22, 1e-5, 1e-7, 123_456_789.123,
            .leastNonzeroMagnitude, .greatestFiniteMagnitude, -2.5e-10,
        ]
        let values: [JSONValue] =
            scalars + texts + numbers.map { .number($0) } + [
                .null, true, false, 0, -7, .integer(.max), .integer(.min), .array([]), [:], .array([1, "a", .null]),
                ["b": 1, "a": .array([["z": [:], "y": .array([.array([])])]]), "": "", "ä": 2, "A": 3, "a b": true],
            ]
        for value in values {
            let (ours, encoders) = (try written(value), try encoded(value))
            #expect(ours == encoders)
        }
    }

    @Test("What is no number in JSON is refused", arguments: [Double.nan, .infinity, -.infinity])
    func refused(_ number: Double) {
        #expect(throws: EncodingError.self) { try written(.array([.number(number)])) }
    }

    @Test("Values on lines of their own have no comma before the first")
    func lines() throws {
        var writer = JSONWriter()
        try writer.value(["a": 1])
        writer.nextLine()
        try writer.value(["b": 2])
        #expect(String(decoding: writer.bytes, as: UTF8.self) == "{\"a\":1},\n{\"b\":2}")
    }
}
