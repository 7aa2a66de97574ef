import Files
import Foundation
import Glibc
import LinkTransport
import Processes
import ServiceRuntime
import Testing

/// Clients of a real host's control socket that request too much. Other clients are served meanwhile.
@Suite("Hostile control clients")
struct HostileClientTests {
    private let bench: TestBench
    private let host: BackgroundProcess

    init() throws {
        bench = try TestBench()
        host = try bench.start("host")
    }

    private func client() throws -> BlockingStream {
        try BlockingStream(connectingTo: bench.state().hostControlSocket, timeout: .seconds(30))
    }

    private func expectService() throws {
        let count = try bench.watchlink(["quizzes", "count"]).output
        #expect(count == "0\n")
        #expect(!host.hasEnded)
    }

    private func residentBytes() throws -> Int {
        let fields = try String(contentsOfFile: "/proc/\(host.identifier)/statm", encoding: .utf8).split(separator: " ")
        return try #require(Int(fields[1])) * Int(getpagesize())
    }

    /// Returns the text a rejected client reads before its connection is reset, if any.
    private func lastWord(of stream: BlockingStream) -> String? {
        do throws(SystemError) {
            return try stream.readLine().map { String(decoding: $0, as: UTF8.self) }
        } catch {
            return error.code == ECONNRESET ? nil : "\(error)"
        }
    }

    @Test("Incomplete requests of all clients are limited together; clients below the limit can finish")
    func unfinished() throws {
        // The third one exceeds 32 MiB in total; each alone is far below the longest request.
        let piece = Data(repeating: UInt8(ascii: "x"), count: 12 * 1024 * 1024)
        let streams = try (0..<4).map { _ in try client() }
        var refused = 0
        for stream in streams {
            do throws(SystemError) {
                try stream.write(piece)
            } catch {
                #expect([EPIPE, ECONNRESET].contains(error.code))
            }
            // A client over the limit is answered and disconnected before the next one begins; the others get nothing.
            try expectService()
            refused = host.lines.count {
                $0.contains("the incomplete requests of all clients exceed 33554432 bytes")
            }
        }
        #expect(refused == 2, "\(host.lines)")
        for stream in streams[2...] {
            #expect(lastWord(of: stream)?.contains("incomplete requests of all clients") != false)
        }
        // The two clients below the limit can still finish: their lines are not requests, as the answer says.
        for stream in streams[..<2] {
            try stream.write(Data("\n".utf8))
            let answer = try #require(try stream.readLine())
            #expect(String(decoding: answer, as: UTF8.self).contains("a request must be JSON, not “xxx"))
        }
        try expectService()
        #expect(host.stop(within: TestBench.limit) == 0)
    }

    @Test("A line of eight megabytes of small values, and four million empty lines, cost almost nothing")
    func small() throws {
        let before = try residentBytes()
        let values = try client()
        try values.write(
            Data(
                (#"{"jsonrpc":"2.0","id":1,"method":"status","params":[0"# + String(repeating: ",0", count: 4_000_000)
                    + "]}\n").utf8))
        let answer = try #require(try values.readLine())
        #expect(String(decoding: answer, as: UTF8.self).contains("a request may have at most 250000 keys and values"))
        let empty = try client()
        do throws(SystemError) {
            try empty.write(Data(repeating: UInt8(ascii: "\n"), count: 4_000_000))
        } catch {
            #expect([EPIPE, ECONNRESET].contains(error.code))
        }
        try expectService()
        #expect(host.lines.count { $0.contains("control request refused") } == 3, "\(host.lines)")
        let growth = try residentBytes() - before
        #expect(TestBench.isSanitized || growth < 48 * 1024 * 1024, "\(growth)")
        #expect(host.stop(within: TestBench.limit) == 0)
    }
}
