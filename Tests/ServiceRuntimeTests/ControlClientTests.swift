import Configuration
import Files
import Foundation
import Glibc
import LinkTransport
import TestSupport
import Testing

@testable import ControlSocket

/// A client, and services that answer well, badly, late or never.
@Suite("Client of the control socket")
struct ControlClientTests {
    private static let pong = #"{"jsonrpc":"2.0","id":"ping","result":null}"# + "\n"

    private let scratch: Scratch
    private var path: String { scratch.path("control.sock") }

    init() throws { scratch = try Scratch() }

    private static func isPing(_ line: String) -> Bool { line.contains(#""method":"ping""#) }

    /// A script that answers pings, and each request with this.
    private static func script(_ answer: String?) -> ScriptedService.Script {
        { _, line in Self.isPing(line) ? Self.pong : answer.map { $0 + "\n" } }
    }

    private func failure(_ answer: String?) throws -> ControlClient.Failure? {
        let service = try ScriptedService(at: path, Self.script(answer))
        let client = try ControlClient(path: path)
        let failure = #expect(throws: ControlClient.Failure.self) { try client.call("echo") }
        withExtendedLifetime(service) {}
        return failure
    }

    @Test("Each request has a number of its own, and a ping before it that proves that the service is alive")
    func requests() throws {
        let service = try ScriptedService(at: path) { number, line in
            Self.isPing(line) ? Self.pong : #"{"jsonrpc":"2.0","id":\#(number / 2),"result":\#(number)}"# + "\n"
        }
        let client = try ControlClient(path: path)
        let results = [try client.call("a"), try client.call("b"), try client.call("c", 7)]
        #expect(results == [.integer(2), .integer(4), .integer(6)])
        let lines = try service.lines.all.map { try JSONDecoder().decode(JSONValue.self, from: Data($0.utf8)) }
        let identifiers = lines.compactMap { $0["id"] }
        #expect(identifiers == ["ping", 1, "ping", 2, "ping", 3] as [JSONValue])
        let methods = lines.compactMap { $0["method"]?.string }
        #expect(methods == ["ping", "a", "ping", "b", "ping", "c"])
        let versions = Set(lines.compactMap { $0["jsonrpc"]?.string })
        #expect(versions == ["2.0"])
        #expect(lines.last?["params"] == .integer(7))
    }

    @Test("The results of requests that were sent one after the other are read in their order")
    func severalUnderWay() throws {
        let service = try ScriptedService(at: path) { number, line in
            Self.isPing(line) ? Self.pong : #"{"jsonrpc":"2.0","id":\#(number - 1),"result":\#(number)}"# + "\n"
        }
        let client = try ControlClient(path: path)
        let begun = [try client.begin("a", .null), try client.begin("b", .null), try client.begin("c", .null)]
        service.lines.expect { $0.count == 4 }
        let results = try begun.map { try client.result(of: $0) }
        #expect(results == [.integer(2), .integer(3), .integer(4)])
    }

    @Test("An answer to an earlier request is not taken for one to the last")
    func lateAnswer() throws {
        let service = try ScriptedService(at: path) { number, line in
            guard !Self.isPing(line) else { return Self.pong }
            guard number > 2 else { return #"{"jsonrpc":"2.0","id":1,"result":"a"}"# + "\n" }
            return #"{"jsonrpc":"2.0","id":1,"result":"late"}"# + "\n" + #"{"jsonrpc":"2.0","id":2,"result":"b"}"#
                + "\n"
        }
        let client = try ControlClient(path: path)
        let results = [try client.call("a"), try client.call("b")]
        #expect(results == ["a", "b"])
        withExtendedLifetime(service) {}
    }

    @Test("While a ping waits for its answer no other one is sent, also before another request")
    func pendingPing() throws {
        let service = try ScriptedService(at: path) { number, line in
            Self.isPing(line) ? "" : #"{"jsonrpc":"2.0","id":\#(number - 1),"result":\#(number)}"# + "\n"
        }
        let client = try ControlClient(path: path)
        let results = [try client.call("a"), try client.call("b")]
        #expect(results == [.integer(2), .integer(3)])
        let lines = try service.lines.all.map { try JSONDecoder().decode(JSONValue.self, from: Data($0.utf8)) }
        let methods = lines.compactMap { $0["method"]?.string }
        #expect(methods == ["ping", "a", "b"])
    }

    @Test("An answer without a result is null")
    func noResult() throws {
        let service = try ScriptedService(at: path, Self.script(#"{"jsonrpc":"2.0","id":1}"#))
        let result = try ControlClient(path: path).call("echo")
        #expect(result == .null)
        withExtendedLifetime(service) {}
    }

    @Test("An error is a refusal; the one for a missing permission is told apart")
    func errors() throws {
        let refused = try failure(#"{"jsonrpc":"2.0","id":1,"error":{"code":2,"message":"no"}}"#)
        #expect(refused == .refused(ControlError(ControlError.refused, "no")))
        try FileManager.default.removeItem(atPath: path)
        let notAllowed = try failure(#"{"jsonrpc":"2.0","id":1,"error":{"code":4,"message":"not you"}}"#)
        #expect(notAllowed == .notAllowed("not you"))
    }

    @Test("A connection that ends without an answer, and an answer that is none, are violations of the protocol")
    func violations() throws {
        let ended = try failure(nil)
        #expect(ended == .protocolViolation("the connection was closed"))
        try FileManager.default.removeItem(atPath: path)
        let unreadable = try failure("nonsense")
        guard case .protocolViolation(let detail)? = unreadable else {
            Issue.record("\(String(describing: unreadable))")
            return
        }
        #expect(detail != "the connection was closed")
    }

    @Test("A service that has turned the client away is quoted; if it said nothing, the connection has failed")
    func turnedAway() throws {
        let reason = #"{"jsonrpc":"2.0","id":null,"error":{"code":4,"message":"only root"}}"# + "\n"
        let polite = try ScriptedService(at: path, farewell: reason)
        let client = try ControlClient(path: path)
        polite.ends.expect { $0 == [true] }
        #expect(throws: ControlClient.Failure.notAllowed("only root")) { try client.call("echo") }
        try FileManager.default.removeItem(atPath: path)
        let silent = try ScriptedService(at: path, farewell: "")
        let other = try ControlClient(path: path)
        silent.ends.expect { $0 == [true] }
        let error = SystemError("write to", on: path, code: EPIPE)
        #expect(throws: ControlClient.Failure.connection(error)) { try other.call("echo") }
    }

    @Test("A file that is no socket means that no service runs; a path through a file is an error of the connection")
    func noSocket() throws {
        let file = try scratch.write("file", "")
        #expect(throws: ControlClient.Failure.notRunning(path: file)) { try ControlClient(path: file) }
        let below = file + "/control.sock"
        let failure = #expect(throws: ControlClient.Failure.self) { try ControlClient(path: below) }
        guard case .connection(let error)? = failure else {
            Issue.record("\(String(describing: failure))")
            return
        }
        #expect(error.code == ENOTDIR)
    }

    /// Calls a scripted service on a thread of its own.
    private static func call(
        _ path: String, timeout: Duration?, _ script: @escaping ScriptedService.Script, _ ends: Collector<String>
    ) throws {
        let service = try ScriptedService(at: path, script)
        Thread.detachNewThread {
            do throws(ControlClient.Failure) {
                let result = try ControlClient(path: path, timeout: timeout).call("slow")
                ends.add("result \(result.string ?? "none") after \(service.lines.all.count) lines")
            } catch {
                ends.add("\(error)")
            }
        }
    }

    @Test("A service that does not answer a ping hangs; one that does is only late, or answers in the end")
    func patience() throws {
        let ends = Collector<String>()
        let hanging = scratch.path("hanging")
        try Self.call(hanging, timeout: nil, { _, _ in "" }, ends)
        try Self.call(
            scratch.path("late"), timeout: .seconds(1), { _, line in Self.isPing(line) ? Self.pong : "" }, ends)
        try Self.call(
            scratch.path("slow"), timeout: .seconds(600),
            { number, line in
                let answer = #"{"jsonrpc":"2.0","id":1,"result":"done"}"# + "\n"
                return Self.isPing(line) ? Self.pong + (number > 2 ? answer : "") : ""
            }, ends)
        ends.expect { $0.count == 3 }
        let process = ProcessInfo.processInfo.processIdentifier
        let hang = ControlClient.Failure.notAnswering(path: hanging, process: process)
        let late = ControlClient.Failure.late(after: .seconds(1))
        let expected = ["\(hang)", "\(late)", "result done after 3 lines"].sorted()
        #expect(ends.all.sorted() == expected)
    }
}
