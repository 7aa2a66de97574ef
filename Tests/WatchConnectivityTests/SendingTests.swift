import DeviceShell
import EventLog
import Foundation
import LinkProtocol
import TestSupport
import Testing

@testable import WatchConnectivity

@Suite("Content sent in place of an app")
struct SendingTests {
    private let pair: TestPair

    init() throws { pair = try TestPair() }

    @Test(
        "What an app could not send is refused with the same error",
        arguments: [SendDeed.context("c"), .userInfo("u"), .complication("c"), .file(path: "/dev/null")])
    func refused(_ deed: SendDeed) {
        let error = #expect(throws: WCError.self) { try pair.host.session.simulator.send(deed, to: nil) }
        #expect(error?.code.rawValue == 7004)
    }

    @Test("A message has an identifier even if it cannot be sent, and the ledger says why it failed")
    func unreachable() throws {
        #expect(pair.companion.activate())
        let sent = try pair.companion.session.simulator.send(.message("m"), to: nil)
        let identifier = try #require(sent)
        let entry = try pair.companion.ledger(identifier)
        #expect(entry?.state == .failed)
        #expect(entry?.kind == "message")
        #expect(entry?.cause == "The counterpart is not reachable")
        // The caller has its answer in the ledger: nobody misses an error handler.
        #expect(pair.companion.hints == [])
    }

    @Test("A message that fails without an error handler gives a hint, and one with a handler does not")
    func unheard() {
        #expect(pair.companion.activate())
        let codes = Collector<Int>()
        pair.companion.session.sendMessage(["n": 1], replyHandler: nil) { codes.add(($0 as NSError).code) }
        codes.expect { $0 == [7007] }
        #expect(pair.companion.hints == [])
        pair.companion.session.sendMessage(["n": 2], replyHandler: nil)
        #expect(pair.companion.logs(.noErrorHandler))
        #expect(pair.companion.hints == [.noErrorHandler])
    }

    @Test("Each kind arrives as what it is, with an identifier that both ledgers have; a context has none")
    func arrived() throws {
        #expect(pair.connect())
        let simulator = pair.companion.session.simulator
        let file = try pair.scratch.write("f", "text")
        let message = try simulator.send(.message("m"), to: nil)
        let context = try simulator.send(.context("c"), to: nil)
        let info = try simulator.send(.userInfo("u"), to: nil)
        let sentFile = try simulator.send(.file(path: file), to: nil)
        for event in ["message content=m", "context content=c", "userInfo content=u", "file f 4 "] {
            pair.host.delegate.events.expect(event) { $0.contains(event) }
        }
        #expect(context == nil)
        for (sent, kind) in [(message, "message"), (info, "user info"), (sentFile, "file")] {
            let identifier = try #require(sent)
            let kindOfSender = try pair.companion.ledger(identifier)?.kind
            #expect(kindOfSender == kind)
            let kindOfReceiver = try pair.host.ledger(identifier, .incoming)?.kind
            #expect(kindOfReceiver == kind)
        }
    }

    @Test("Only what is for the complication uses its budget")
    func complication() throws {
        #expect(pair.connect())
        let simulator = pair.host.session.simulator
        try simulator.setComplicationEnabled(true, on: pair.companion.identifier)
        let plain = try simulator.send(.userInfo("plain"), to: nil)
        #expect(pair.host.session.remainingComplicationUserInfoTransfers == 50)
        let urgent = try simulator.send(.complication("urgent"), to: pair.companion.identifier)
        #expect(pair.host.session.remainingComplicationUserInfoTransfers == 49)
        let events = ["userInfo content=plain", "userInfo content=urgent"]
        pair.companion.delegate.events.expect { all in events.allSatisfy { all.contains($0) } }
        for (sent, kind) in [(plain, "user info"), (urgent, "complication")] {
            let identifier = try #require(sent)
            let noted = try pair.host.ledger(identifier)?.kind
            #expect(noted == kind)
        }
    }

    @Test("A watch that is not known is no receiver")
    func unknown() throws {
        #expect(pair.connect())
        let watch = UUID()
        let error = #expect(throws: WCError.self) { try pair.host.session.simulator.send(.userInfo("u"), to: watch) }
        #expect(error?.code.rawValue == 7005)
        #expect(pair.companion.delegate.all("userInfo") == [])
    }
}
