import EventLog
import Files
import Foundation
import Glibc
import LinkTransport
import TestSupport
import Testing

@testable import Configuration
@testable import ControlSocket
@testable import ServiceRuntime

@Suite("Control socket")
struct ControlTests {
    private let server: TestControlServer
    private var path: String { server.path }

    init() async throws { server = try await TestControlServer() }

    @Test("A request is answered, also a large one, and several on one connection")
    func requests() throws {
        let client = try ControlClient(path: path)
        let small = try client.call("echo", ["a": "Grüße"])
        #expect(small == JSONValue.object(["a": "Grüße"]))
        let large = try client.call("echo", .string(String(repeating: "x", count: 3_000_000))).string ?? ""
        #expect(large.count == 3_000_000)
        let others = large.filter { $0 != "x" }
        #expect(others.isEmpty)
        #expect(throws: ControlClient.Failure.refused(ControlError(ControlError.refused, "no"))) {
            try client.call("fail")
        }
        #expect(throws: ControlClient.Failure.refused(ControlError(ControlError.methodNotFound, "what?"))) {
            try client.call("nonsense")
        }
    }

    @Test(
        "What is no request is answered with JSON-RPC's error, which says what was given and what is allowed",
        arguments: [
            ("nonsense", ControlError.parseError, "a request must be JSON, not “nonsense”"),
            ("", ControlError.parseError, "a request must be JSON, not “”"),
            ("[1]", ControlError.invalidRequest, "a request must be an object { … }, not a list"),
            (
                #"{"jsonrpc": "1.0", "method": "echo", "id": 1}"#, ControlError.invalidRequest,
                "“jsonrpc” must be “2.0”, not “1.0”"
            ),
            (#"{"jsonrpc": "2.0", "id": 1}"#, ControlError.invalidRequest, "“method” must be a string, and is missing"),
            (
                #"{"jsonrpc": "2.0", "method": 5, "id": 1}"#, ControlError.invalidRequest,
                "“method” must be a string, not “5”"
            ),
            (
                #"{"jsonrpc": "2.0", "method": "echo", "id": [1]}"#, ControlError.invalidRequest,
                "“id” must be a string or a number, not a list"
            ),
            (
                #"{"jsonrpc": "2.0", "method": "echo", "id": 1, "params": {"a": [0, 1e400]}}"#, ControlError.parseError,
                "“params.a[1]”: a number must be from -1.7976931348623157e+308 to 1.7976931348623157e+308"
            ),
        ])
    func malformed(_ line: String, _ code: Int, _ message: String) throws {
        let error = try server.answers(Array((line + "\n").utf8), 1).first?.error
        #expect(error == ControlError(code, message))
    }

    @Test("A client that leaves without its answer disturbs nobody")
    func leaves() throws {
        do {
            let stream = try BlockingStream(connectingTo: path, timeout: .seconds(20))
            try stream.write(Data(#"{"jsonrpc": "2.0", "method": "never", "id": 1}"#.utf8))
        }
        let echo = try ControlClient(path: path).call("echo", 5)
        #expect(echo == .integer(5))
    }

    @Test("A client that has sent its last request gets every answer, and then the end")
    func halfClosed() throws {
        let requests = (1...200).map { #"{"jsonrpc":"2.0","id":\#($0),"method":"echo","params":\#($0)}"# + "\n" }
        let client = try HalfClosedClient(path: path, sending: Array(requests.joined().utf8))
        let answers = client.answers()
        #expect(answers.count == requests.count)
    }

    @Test("Nobody at the socket means: not running")
    func notRunning() {
        #expect(throws: ControlClient.Failure.notRunning(path: "/nonexistent/x.sock")) {
            try ControlClient(path: "/nonexistent/x.sock")
        }
    }
}
