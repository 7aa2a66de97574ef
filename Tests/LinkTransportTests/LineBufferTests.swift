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

    @Test("What is buffered and not read yet is counted, through every line")
    func pending() throws {
        var buffer = LineBuffer(maximumBytes: 10)
        var counts = [buffer.pendingBytes]
        for text in ["1234\n12\nab", "c\n", "\n"] {
            Array(text.utf8).withUnsafeBytes { buffer.append($0) }
            counts.append(buffer.pendingBytes)
            while try buffer.nextLine() != nil { counts.append(buffer.pendingBytes) }
        }
        #expect(counts == [0, 10, 5, 2, 4, 0, 1, 0])
    }

    @Test("The longest line is measured from its own start, however much was read before")
    func limitAfterOthers() throws {
        var buffer = LineBuffer(maximumBytes: 5)
        let lines = try Self.lines(of: "1\n12345\n123\n12345\n", inPiecesOf: 100, &buffer)
        #expect(lines == ["1", "12345", "123", "12345"])
        #expect(throws: LineBuffer.LineTooLong(limit: 5)) {
            try Self.lines(of: "12345\n12345\n123456", inPiecesOf: 4, &buffer)
        }
        let words = LineBuffer.LineTooLong(limit: 5).description
        #expect(words == "a line is longer than 5 bytes")
    }

    @Test("Of a line that is too long nothing is kept, however much has come", arguments: [11, 70_000, 1_000_000])
    func overlong(_ count: Int) {
        var buffer = LineBuffer(maximumBytes: 10)
        #expect(throws: LineBuffer.LineTooLong(limit: 10)) {
            try Self.lines(of: String(repeating: "x", count: count), inPiecesOf: count, &buffer)
        }
        #expect(buffer.pendingBytes == 0)
    }

    @Test("What follows a line longer than the room that is kept is read like what follows a short one")
    func afterLong() throws {
        var buffer = LineBuffer(maximumBytes: 100_000)
        let long = String(repeating: "x", count: 100_000)
        let first = try Self.lines(of: long + "\n", inPiecesOf: 200_000, &buffer)
        #expect(first.map(\.utf8.count) == [100_000])
        let next = try Self.lines(of: "a\nb\n", inPiecesOf: 200_000, &buffer)
        #expect(next == ["a", "b"])
        #expect(buffer.pendingBytes == 0)
    }
}
