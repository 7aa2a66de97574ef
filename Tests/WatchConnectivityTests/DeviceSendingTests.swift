import Configuration
import Foundation
import LinkProtocol
import TestSupport
import Testing

@testable import WatchConnectivity

@Suite("Sending by a device's control socket")
struct DeviceSendingTests {
    private let pair: TestPair

    init() throws { pair = try TestPair() }

    @Test("What is sent in place of the app arrives, and is found in the ledger by the identifier of the answer")
    func identifiers() throws {
        #expect(pair.connect())
        let file = try pair.scratch.write("note.txt", "hello")
        let sent: [(params: JSONValue, event: String, kind: String)] = [
            (["kind": "message", "content": "a"], "message content=a", "message"),
            (["kind": "user-info", "content": "b"], "userInfo content=b", "user info"),
            (["kind": "file", "path": .string(file)], "file note.txt 5 ", "file"),
        ]
        for content in sent {
            let answer = try pair.companion.ask("send", content.params)
            pair.host.delegate.events.expect { $0.contains(content.event) }
            let identifier = try #require(answer["identifier"])
            let entries = try pair.companion.ask("ledger", ["identifier": identifier, "wait": true])
            #expect(entries.array?.count == 1)
            #expect(entries.array?.first?["kind"] == .string(content.kind))
        }
    }

    @Test("A context has no identifier in the answer, because the next one replaces it, and arrives as well")
    func context() throws {
        #expect(pair.connect())
        let answer = try pair.companion.ask("send", ["kind": "context", "content": "c"])
        #expect(answer == .null)
        #expect(pair.host.received(["context content=c"], "context"))
    }

    @Test("A phone sends to the watch that is named")
    func named() throws {
        #expect(pair.connect())
        let watch: JSONValue = .string(pair.companion.identifier.uuidString)
        let answer = try pair.host.ask("send", ["kind": "user-info", "content": "d", "watch": watch])
        #expect(answer["identifier"]?.string?.count == 36)
        #expect(pair.companion.received(["userInfo content=d"], "userInfo"))
        let stranger: JSONValue = .string(UUID().uuidString)
        let refused = try pair.host.ask("send", ["kind": "user-info", "content": "e", "watch": stranger])
        #expect(refused["code"] == .integer(2))
        #expect(refused["message"]?.string?.isEmpty == false)
    }

    @Test(
        "Before the session is activated nothing is sent, and the session's error is the answer",
        arguments: ["context", "user-info", "complication", "file"])
    func notActivated(_ kind: String) throws {
        let answer = try pair.companion.ask("send", ["kind": .string(kind), "content": "a", "path": "/nonexistent"])
        let reason = WCError(.sessionNotActivated).localizedDescription
        #expect(answer == .object(["code": .integer(2), "message": .string(reason)]))
    }
}
