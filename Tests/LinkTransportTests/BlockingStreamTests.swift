import Files
import Foundation
import Glibc
import TestSupport
import Testing

@testable import LinkTransport

@Suite("Blocking streams")
struct BlockingStreamTests {
    private let scratch: Scratch
    private let path: String

    init() throws {
        scratch = try Scratch()
        path = scratch.path("a.sock")
    }

    private static func say(_ text: String, on server: borrowing Descriptor) {
        let number = server.number
        let count = Array(text.utf8).withUnsafeBytes { send(number, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
        #expect(count == text.utf8.count)
    }

    @Test("Nobody at the path is an error")
    func nobody() {
        #expect(throws: SystemError("connect to", on: path, code: ENOENT)) {
            try BlockingStream(connectingTo: path, timeout: nil)
        }
    }

    @Test("Lines are read one by one, and the end of the stream after them; an unfinished line is none")
    func lines() throws {
        let listener = try UnixSocket.listen(at: path, mode: 0o600)
        let stream = try BlockingStream(connectingTo: path, timeout: .seconds(20))
        try Self.serve(listener, "one\n\n\(String(repeating: "x", count: 70_000))\nrest")
        var lines: [Int] = []
        while let line = try stream.readLine() { lines.append(line.count) }
        #expect(lines == [3, 0, 70_000])
        let more = try stream.readLine()
        #expect(more == nil)
    }

    /// Accepts the waiting connection, says something and closes it.
    private static func serve(_ listener: borrowing Descriptor, _ text: String) throws {
        guard let server = try UnixSocket.accept(listener) else {
            Issue.record("no connection waits")
            return
        }
        say(text, on: server)
    }

    @Test("A read without an answer ends after its time, and can be repeated")
    func readTimeout() throws {
        let listener = try UnixSocket.listen(at: path, mode: 0o600)
        let stream = try BlockingStream(connectingTo: path, timeout: .milliseconds(20))
        for _ in 0..<2 {
            #expect(throws: SystemError("read from", on: path, code: EAGAIN)) { try stream.readLine() }
        }
        try Self.serve(listener, "late\n")
        let line = try stream.readLine()
        #expect(line == Data("late".utf8))
    }

    @Test("A write to a peer that does not read ends after its time")
    func writeTimeout() throws {
        let listener = try UnixSocket.listen(at: path, mode: 0o600)
        let stream = try BlockingStream(connectingTo: path, timeout: .milliseconds(20))
        #expect(throws: SystemError("write to", on: path, code: EAGAIN)) {
            try stream.write(Data(count: 4 * 1_024 * 1_024))
        }
        #expect(listener.number >= 0)
    }

    @Test("A write to a peer that has left is an error; nothing to write is none")
    func peerLeft() throws {
        let listener = try UnixSocket.listen(at: path, mode: 0o600)
        let stream = try BlockingStream(connectingTo: path, timeout: .seconds(20))
        try Self.serve(listener, "")
        try stream.write(Data())
        #expect(throws: SystemError("write to", on: path, code: EPIPE)) { try stream.write(Data([1])) }
    }

    @Test("The peer is the process that listens")
    func peer() throws {
        let listener = try UnixSocket.listen(at: path, mode: 0o600)
        let stream = try BlockingStream(connectingTo: path, timeout: nil)
        let process = try stream.peer()
        #expect(process == getpid())
        #expect(listener.number >= 0)
    }

    @Test("A long text arrives whole while the peer reads")
    func longWrite() throws {
        let listener = try UnixSocket.listen(at: path, mode: 0o600)
        let stream = try BlockingStream(connectingTo: path, timeout: .seconds(20))
        guard let server = try UnixSocket.accept(listener) else {
            Issue.record("no connection waits")
            return
        }
        let bytes = (0..<600_000).map { UInt8($0 % 251) }
        let heard = Collector<[UInt8]>()
        let number = dup(server.number)
        Thread.detachNewThread {
            var room = [UInt8](repeating: 0, count: 64 * 1_024)
            _ = fcntl(number, F_SETFL, 0)
            while true {
                let count = read(number, &room, room.count)
                guard count > 0 else { break }
                heard.add(Array(room.prefix(count)))
            }
            _ = close(number)
        }
        try stream.write(Data(bytes))
        heard.expect { $0.reduce(0) { $0 + $1.count } >= bytes.count }
        let isSame = Array(heard.all.joined()) == bytes
        #expect(isSame)
    }
}
