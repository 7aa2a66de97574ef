import EventLog
import Foundation
import TestSupport
import Testing

@testable import Configuration
@testable import ControlSocket
@testable import ServiceRuntime

/// Lines of the control socket, without a server.
@Suite("Requests of the control socket")
struct ControlRequestTests {
    private static func line(_ fields: String) -> Data { Data(#"{"method":"echo"\#(fields)}"#.utf8) }

    @Test(
        "A request has a string or a number as its identifier, or none",
        arguments: [
            ("", nil), (#","id":null"#, nil), (#","id":"a""#, .string("a")), (#","id":"""#, .string("")),
            (#","id":7"#, .integer(7)), (#","id":1.5"#, .number(1.5)),
        ] as [(String, JSONValue?)])
    func identifier(_ id: String, _ expected: JSONValue?) throws {
        let request = try ControlRequest(line: Self.line(#","jsonrpc":"2.0""# + id))
        #expect(request.id == expected)
        #expect(request.method == "echo")
        #expect(request.params == nil)
    }

    @Test("Anything else as an identifier is refused", arguments: ["true", "false", "[1]", "{}"])
    func noIdentifier(_ id: String) throws {
        let line = Self.line(#","jsonrpc":"2.0","id":"# + id)
        let unreadable = try #require(throws: ControlRequest.Unreadable.self) { try ControlRequest(line: line) }
        #expect(unreadable.id == nil)
        #expect(unreadable.error.code == ControlError.invalidRequest)
        let message = unreadable.error.message
        #expect(message.hasPrefix("“id” must be a string or a number, not "), "\(message)")
    }

    @Test("The identifier of a request that is refused for another reason is repeated")
    func repeated() throws {
        let line = Self.line(#","jsonrpc":"1.0","id":7"#)
        let unreadable = try #require(throws: ControlRequest.Unreadable.self) { try ControlRequest(line: line) }
        #expect(unreadable.id == .integer(7))
    }
}

/// What becomes of a client that ends, makes mistakes, or is one too many.
@Suite("Clients of the control socket")
struct ControlClientEndTests {
    private let server: TestControlServer

    init() async throws { server = try await TestControlServer() }

    @Test("A client that ends while its request is under way gets the answer when there is one, and then the end")
    func ends() throws {
        let request = #"{"jsonrpc":"2.0","id":1,"method":"hold"}"# + "\n"
        let client = try HalfClosedClient(path: server.path, sending: Array(request.utf8))
        server.held.expect { $0.count == 1 }
        // By the time another client is served, the server knows of the end.
        for number in 0..<Int64(2) {
            let echo = try server.client().call("echo", .integer(number))
            #expect(echo == .integer(number))
        }
        server.release()
        let lines = client.answers()
        #expect(lines.count == 1, "\(lines)")
    }

    @Test("A client may make fifteen mistakes, and is turned away at the next")
    func mistakes() throws {
        let fine = Array((#"{"jsonrpc":"2.0","id":1,"method":"echo","params":5}"# + "\n").utf8)
        let mistakes = [UInt8](repeating: UInt8(ascii: "\n"), count: ControlServer.unreadableLines - 1)
        let answers = try server.answers(mistakes + fine, mistakes.count + 1)
        #expect(answers.count == mistakes.count + 1)
        #expect(answers.last?.result == .integer(5))
        let farewell = try server.answers(mistakes + [UInt8(ascii: "\n")], mistakes.count + 2)
        #expect(farewell.last?.error?.message == "\(ControlServer.unreadableLines) lines were not valid requests")
    }

    @Test("There may be 64 clients at once; one more is turned away, and the others are served")
    func clients() throws {
        var clients: [ControlClient] = []
        for number in 0..<Int64(64) {
            let client = try server.client()
            let echo = try client.call("echo", .integer(number))
            #expect(echo == .integer(number))
            clients.append(client)
        }
        let excess = try server.client()
        #expect(throws: ControlClient.Failure.self) { try excess.call("echo", 1) }
        server.log.expect { records in records.contains { $0.event == .controlRequestRefused } }
        let reasons = server.log.all.filter { $0.event == .controlRequestRefused }.map(\.fields)
        #expect(reasons == [[.reason("more than 64 clients")]])
        let first = try clients[0].call("echo", 1)
        #expect(first == .integer(1))
        let last = try clients[63].call("echo", 2)
        #expect(last == .integer(2))
    }
}
