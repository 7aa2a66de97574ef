import Foundation
import LinkProtocol
import Testing

@testable import Configuration
@testable import ControlSocket

/// Tests of the fast reading of JSON against Foundation's decoder.
struct JSONValueTextTests {
    /// Parts of texts in which readers of JSON differ.
    private static let oddities = [
        "-0", "0", "1e3", "1.0", "1.25", "-1.5e-7", "01", "+1", "1.", ".5", "0.1e1", "1E2", "1e400", "-1e400",
        "4.9e-324",
        "12345678901234567890", "9223372036854775807", "-9223372036854775808", "9223372036854775808",
        "9007199254740991", "9007199254740993", "9007199254740993.0", "1.7976931348623157e308", "123456789.123456789",
        "true", "false", "null", "nul", "tru", "NaN", "Infinity", "true false", "", " ", "\u{FEFF}", "\\ufeff",
        "\\ud800",
        "\\ud83d\\ude00", "\\u0000", "\u{1}", "\t", "\n", "\u{2028}", "\\x41", "\\/", "\\", "'a'", "a:b", "\\\":", "é",
        "漢", "👩‍👩‍👧",
        "\u{F8FF}", "[]", "{}", "[[[]]]", "[1,]", "{\"a\":1,}", "{\"a\":1,\"a\":2}", "{\"a\":{\"b\":1,\"b\":2}}",
        "{\"\":{}}",
        "/*x*/", "{\"a\" 1}", "{1:2}", String(repeating: "[", count: 600) + String(repeating: "]", count: 600),
    ]

    /// Reads a text in both ways; a difference is an issue that shows the text.
    private func compare(_ text: Data, sourceLocation: SourceLocation = #_sourceLocation) {
        let ours = Result { try JSONValue(json: text) }
        let decoders = Result { try JSONDecoder().decode(JSONValue.self, from: text) }
        switch (ours, decoders) {
        case (.success(let value), .success(let other)) where value == other: break
        case (.failure(let error), .failure(let other)) where "\(error)" == "\(other)": break
        default:
            Issue.record(
                "\(String(decoding: text, as: UTF8.self)): \(ours); the decoder: \(decoders)",
                sourceLocation: sourceLocation)
        }
    }

    @Test("Texts in which readers differ are read as by the decoder")
    func oddities() {
        for part in Self.oddities {
            for text in [part, "[\(part)]", "{\"k\":\(part)}", "\"\(part)\"", "{\"\(part)\":1}", "[1,\(part),\"a\"]"] {
                compare(Data(text.utf8))
            }
        }
    }

    @Test("Damaged texts are read, or refused, as by the decoder", arguments: 1...8 as ClosedRange<UInt64>)
    func damage(_ seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let whole = Array(#"{"a":[1,-2.5,"x\n é",true,null],"b":{"c":"d","a":1e2}}"#.utf8)
        let marks = Array("{}[]\",:0123456789.eE+-\\truefalsnu ".utf8)
        for _ in 0..<1_500 {
            var bytes = whole
            for _ in 0..<Int.random(in: 1...3, using: &generator) {
                let place = Int.random(in: 0..<bytes.count, using: &generator)
                switch Int.random(in: 0..<4, using: &generator) {
                case 0: bytes[place] = UInt8.random(in: 0...255, using: &generator)
                case 1: bytes.remove(at: place)
                case 2: bytes.insert(bytes[Int.random(in: 0..<bytes.count, using: &generator)], at: place)
                default: bytes[place] = marks[Int.random(in: 0..<marks.count, using: &generator)]
                }
            }
            compare(Data(bytes))
        }
    }

    @Test(
        "An answer is read as by the decoder, or refused with its error",
        arguments: [
            #"{"jsonrpc":"2.0","id":1,"result":{"a":[1,2]}}"#, #"{"jsonrpc":"2.0","id":"x","result":false}"#,
            #"{"jsonrpc":"2.0","id":1,"result":null}"#,
            #"{"jsonrpc":"2.0","id":null,"error":{"code":3,"message":"no"}}"#,
            #"{"jsonrpc":"2.0","id":1,"result":1,"error":{"code":3,"message":"no"}}"#, #"{"jsonrpc":"2.0","result":1}"#,
            #"{"jsonrpc":"1.0","id":1,"result":1}"#, #"{"jsonrpc":2,"id":1,"result":1}"#, #"{"id":1,"result":1}"#,
            #"{"jsonrpc":"2.0","id":1,"error":{"code":"3"}}"#, "[]", "1", "", "{",
        ])
    func answers(_ text: String) {
        let ours = Result { try ControlResponse(line: Data(text.utf8)) }
        let decoders = Result { try JSONDecoder().decode(ControlResponse.self, from: Data(text.utf8)) }
        #expect("\(ours)" == "\(decoders)")
    }
}
