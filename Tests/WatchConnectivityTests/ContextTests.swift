import DeviceEngine
import DeviceShell
import EventLog
import Foundation
import TestSupport
import Testing

@testable import WatchConnectivity

@Suite("Application contexts")
struct ContextTests {
    @Test("The latest wins while the counterpart is away; it survives restarts of both sides")
    func latest() throws {
        let pair = try TestPair()
        #expect(pair.companion.activate())
        for number in 1...3 { try pair.companion.session.updateApplicationContext(["n": number]) }
        #expect(pair.companion.logs(.contextCoalesced, times: 2))
        #expect(pair.companion.session.applicationContext["n"] as? Int == 3)
        #expect(pair.companion.restart())
        #expect(pair.companion.session.applicationContext["n"] as? Int == 3)
        #expect(pair.host.activate())
        #expect(pair.host.received(["context n=3"], "context"))
        #expect(pair.host.session.receivedApplicationContext["n"] as? Int == 3)
        #expect(pair.host.restart())
        #expect(pair.host.session.receivedApplicationContext["n"] as? Int == 3)
        pair.host.delegate.events.expect { $0.contains("reachable true") }
        #expect(pair.host.delegate.all("context").isEmpty)
    }

    @Test("Contexts are observable at the sender and at the receiver")
    func observed() throws {
        let pair = try TestPair()
        #expect(pair.connect())
        let (sent, received) = (Collector<String>(), Collector<String>())
        func text(_ change: NSKeyValueObservedChange<[String: Any]>) -> String {
            "\(change.oldValue?["n"] as? Int ?? 0) \(change.newValue?["n"] as? Int ?? 0)"
        }
        let observations = [
            pair.companion.session.observe(\.applicationContext, options: [.old, .new]) { sent.add(text($1)) },
            pair.host.session.observe(\.receivedApplicationContext, options: [.old, .new]) { received.add(text($1)) },
        ]
        for number in 1...2 {
            try pair.companion.session.updateApplicationContext(["n": number])
            pair.host.delegate.events.expect { $0.contains("context n=\(number)") }
        }
        sent.expect { $0 == ["0 1", "1 2"] }
        received.expect { $0 == ["0 1", "1 2"] }
        for observation in observations { observation.invalidate() }
    }

    @Test("An identical context is not resent, which is logged")
    func identical() throws {
        let pair = try TestPair()
        #expect(pair.connect())
        try pair.host.session.updateApplicationContext(["a": 1, "b": [1, 2]])
        #expect(pair.companion.received(["context a=1,b=[1, 2]"], "context"))
        try pair.host.session.updateApplicationContext(["b": [1, 2], "a": 1])
        #expect(pair.host.logs(.contextUnchanged))
        try pair.host.session.updateApplicationContext(["a": 2])
        pair.companion.delegate.events.expect { $0.last == "context a=2" }
        #expect(pair.companion.delegate.all("context").count == 2)
    }

    @Test("A context that waits for a receiver is delivered when it starts")
    func coldStart() throws {
        let pair = try TestPair()
        #expect(pair.connect())
        #expect(pair.companion.end())
        try pair.host.session.updateApplicationContext(["n": 1])
        try pair.host.session.updateApplicationContext(["n": 2])
        #expect(pair.companion.begin())
        #expect(pair.companion.received(["context n=2"], "context"))
    }

    @Test("Each refusal has its error: not activated, too large, not a property list, no watch, no app")
    func refused() throws {
        let pair = try TestPair { $0.payloads.context = 1_000 }
        func code(_ context: [String: Any]) -> Int {
            do {
                try pair.host.session.updateApplicationContext(context)
                return 0
            } catch {
                return (error as? WCError)?.code.rawValue ?? -1
            }
        }
        #expect(code([:]) == 7004)
        #expect(pair.connect())
        #expect(code(["d": Data(count: 2_000)]) == 7009)
        #expect(code(["d": URL(filePath: "/")]) == 7010)
        try pair.host.session.simulator.setAppInstalled(false, on: pair.companion.identifier)
        #expect(code(["n": 1]) == 7006)
        try pair.host.session.simulator.unpair(pair.companion.identifier)
        #expect(code(["n": 1]) == 7005)
        #expect(!pair.host.session.isPaired)
        #expect(throws: WCError.self) { try WCSession().updateApplicationContext([:]) }
    }
}
