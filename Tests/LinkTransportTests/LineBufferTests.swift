import Foundation
import Testing

@testable import LinkTransport

@Suite("Lines of a stream")
struct LineBufferTests {
    /// Feeds a buffer in pieces of one size, and takes lines whenever there may be one, as every reader does.
    static func lines(of text: String, inPiecesOf size: Int, _ buffer: inout LineBuffer) throws -> [String] {
        let bytes = Array(text.utf8)
        var lines: [String] = []
        for from in stride(from: 0, to: bytes.count, by: size) {
            bytes[from..<min(bytes.count, from + size)].withUnsafeBytes { buffer.append($0) }
            while let line = try buffer.nextLine() { lines.append(String(decoding: line, as: UTF8.self)) }
        }
        return lines
    }

    @Test("However the stream is split, the lines are the same", arguments: [1, 2, 3, 5, 7, 100])
    func splitting(_ size: Int) throws {
        var buffer = LineBuffer(maximumBytes: 10)
        let lines = try Self.lines(of: "one\ntwo\n\n\nGrüße\nlast", inPiecesOf: size, &buffer)
        #expect(lines == ["one", "two", "", "", "Grüße"])
        #expect(buffer.pendingBytes == 4)
    }

    @Test("Each byte is searched once, in one long line and in many short ones", arguments: [1, 9, 4_096, 262_144])
    func searchesOnce(_ size: Int) throws {
        let long = String(repeating: "x", count: size == 1 ? 100_000 : 4_000_000) + "\n"
        let short = String(repeating: "short line\n", count: 20_000)
        for text in [long, short, long + short + long] {
            var buffer = LineBuffer(maximumBytes: 4_000_000)
            let lines = try Self.lines(of: text, inPiecesOf: size, &buffer)
            #expect(lines.reduce(0) { $0 + $1.utf8.count + 1 } == text.utf8.count)
            #expect(buffer.searchedBytes == text.utf8.count)
            #expect(buffer.pendingBytes == 0)
        }
    }

    @Test("A line at the limit is taken, one byte more is refused, whether its end has come or not")
    func limit() throws {
        var exact = LineBuffer(maximumBytes: 5)
        let lines = try Self.lines(of: "12345\n", inPiecesOf: 2, &exact)
        #expect(lines == ["12345"])
        for text in ["123456", "123456\n", "1\n123456\n"] {
            var buffer = LineBuffer(maximumBytes: 5)
            #expect(throws: LineBuffer.LineTooLong(limit: 5)) {
                try Self.lines(of: text, inPiecesOf: text.utf8.count, &buffer)
            }
            // What follows is not kept, and changes nothing.
            Array("\nok\n".utf8).withUnsafeBytes { buffer.append($0) }
            #expect(buffer.pendingBytes == 0)
            #expect(throws: LineBuffer.LineTooLong(limit: 5)) { try buffer.nextLine() }
        }
    }
}
