import Configuration
import EventLog
import Files
import Foundation
import LinkTransport
import TestSupport
import Testing

@testable import ControlSocket

/// What is answered without the handler, and how servers and connections end.
@Suite("Ends of the control server")
struct ControlServerEndTests {
    private let scratch: Scratch
    private let loop: EventLoop
    private let server: ControlServer
    private let path: String

    init() async throws {
        scratch = try Scratch()
        path = scratch.path("control.sock")
        loop = try EventLoop(name: "test")
        server = ControlServer(loop: loop, path: path, logger: .silent) { method, params, respond in
            respond(.success(method == "not a number" ? .number(.nan) : params))
        }
        if let error = await Self.start(server) { throw error }
    }

    private static func start(_ server: ControlServer) async -> (any Error)? {
        await withCheckedContinuation { continuation in
            server.start { continuation.resume(returning: $0) }
        }
    }

    private static func stop(_ server: ControlServer) async {
        await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
            server.stop { continuation.resume() }
        }
    }

    /// Sends a request, and returns its connection.
    private func send(_ method: String, _ params: String) throws -> BlockingStream {
        let stream = try BlockingStream(connectingTo: path, timeout: .seconds(20))
        let request = #"{"jsonrpc":"2.0","id":7,"method":"\#(method)","params":\#(params)}"# + "\n"
        try stream.write(Data(request.utf8))
        return stream
    }

    /// The reason why no client can connect; nil if one can.
    private func connecting() -> ControlClient.Failure? {
        do throws(ControlClient.Failure) {
            _ = try ControlClient(path: path)
            return nil
        } catch {
            return error
        }
    }

    @Test("A ping is answered with null by the server itself")
    func ping() throws {
        let line = try #require(try send("ping", "[1]").readLine())
        let response = try JSONDecoder().decode(ControlResponse.self, from: line)
        #expect(response.id == .integer(7))
        #expect(response.result == nil)
        #expect(response.error == nil)
    }

    @Test("Paths are written as they are, so that people can copy them")
    func slashes() throws {
        let line = try #require(try send("echo", #""/a/b""#).readLine())
        let text = String(decoding: line, as: UTF8.self)
        #expect(text.contains(#""result":"/a/b""#), "\(text)")
    }

    @Test("An answer that is no JSON ends the connection instead of leaving its client waiting")
    func unencodable() throws {
        let client = try ControlClient(path: path)
        let failure = #expect(throws: ControlClient.Failure.self) { try client.call("not a number") }
        #expect(failure == .protocolViolation("the connection was closed"))
    }

    @Test("Clients that have left take no place: many more than 64 are served one after the other")
    func places() throws {
        for number in 0..<Int64(200) {
            let echo = try ControlClient(path: path).call("echo", .integer(number))
            #expect(echo == .integer(number))
        }
    }

    @Test("A server that stops ends its connections, and nobody listens any more")
    func stopped() async throws {
        let stream = try send("echo", "1")
        let answer = try stream.readLine()
        #expect(answer != nil)
        await Self.stop(server)
        let end = try stream.readLine()
        #expect(end == nil)
        let failure = connecting()
        #expect(failure == .notRunning(path: path))
    }

    @Test("A server whose socket cannot be created does not start")
    func noSocket() async throws {
        let below = try scratch.write("file", "") + "/control.sock"
        let other = ControlServer(loop: loop, path: below, logger: .silent) { _, params, respond in
            respond(.success(params))
        }
        let hasFailed = await Self.start(other) != nil
        #expect(hasFailed)
        let failure = connecting()
        #expect(failure == nil)
    }
}
