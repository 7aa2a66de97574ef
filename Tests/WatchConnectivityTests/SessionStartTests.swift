import DeviceShell
import EventLog
import Foundation
import LinkProtocol
import LinkTransport
import Locking
import TestSupport
import Testing

@testable import WatchConnectivity

@Suite("The start and the end of a session")
struct SessionStartTests {
    private let scratch: Scratch

    init() throws { scratch = try Scratch() }

    @Test("Calls during an activation have no result of their own")
    func calls() {
        let device = TestDevice(.host, in: scratch)
        for _ in 1...20 { device.session.activate() }
        device.delegate.events.expect { $0.contains("activated 2 ok") }
        // The end waits for what was reported before it.
        #expect(device.end())
        let others = device.delegate.all("activated").filter { $0 != "activated 2 ok" }
        #expect(others == [])
        #expect(device.count(.sessionActivated) == 1)
        #expect(device.count(.sessionActivationFailed) == 0)
    }

    @Test("Of delegates that are set after the activation only the first gets the hint, and none is no delegate")
    func lateDelegates() {
        let device = TestDevice(.host, in: scratch)
        #expect(device.activate())
        device.session.delegate = device.delegate
        device.session.delegate = nil
        device.session.delegate = nil
        #expect(device.hints == [])
        device.session.delegate = device.delegate
        #expect(device.hints == [.delegateAfterActivation])
    }

    @Test("A session that was activated without a delegate still has none when none is set")
    func noDelegate() {
        let device = TestDevice(.host, in: scratch)
        device.session.delegate = nil
        device.session.activate()
        device.session.delegate = nil
        #expect(device.hints == [])
    }

    @Test("A phone whose socket another one uses knows its watches, and is activated when the socket is free")
    func usedSocket() throws {
        let (phone, other) = (
            TestDevice(.host, in: scratch, name: "phone"), TestDevice(.host, in: scratch, name: "other")
        )
        let companion = TestDevice(.companion, in: scratch)
        #expect(phone.activate())
        try phone.session.simulator.pair(companion.identifier)
        #expect(phone.end())
        #expect(other.activate())
        let (session, delegate) = (WCSession(configuration: phone.configuration), RecordingDelegate())
        session.delegate = delegate
        session.activate()
        delegate.events.expect { $0 == ["activated 0 7001"] }
        let known = session.simulator.companions.map(\.identifier)
        #expect(known == [companion.identifier])
        #expect(session.activationState == .notActivated)
        #expect(other.end())
        session.activate()
        delegate.events.expect { $0.contains("activated 2 ok") }
        #expect(companion.activate())
        companion.delegate.events.expect { $0.contains("reachable true") }
        let ended = Collector<Bool>()
        session.shutDown("test") { ended.add(true) }
        ended.expect { $0 == [true] }
    }

    @Test("A device can be controlled at its socket while it runs, and no longer when it has ended")
    func control() throws {
        let path = scratch.path("control")
        let device = TestDevice(.host, in: scratch) { $0.controlSocketPath = path }
        #expect(device.activate())
        #expect(device.count(.controlMissing) == 0)
        device.log.expect { $0.contains { $0.event.text == "control listening" } }
        let client = try BlockingStream(connectingTo: path, timeout: .seconds(20))
        try client.write(Data((#"{"jsonrpc":"2.0","id":1,"method":"ping","params":{}}"# + "\n").utf8))
        let answer = try client.readLine()
        #expect(answer != nil)
        #expect(device.end())
        let rest = try client.readLine()
        #expect(rest == nil)
        #expect(throws: (any Error).self) { try BlockingStream(connectingTo: path, timeout: .seconds(20)) }
        let isControlKept = device.session.core.state.withLock { $0.closeControl != nil }
        #expect(!isControlKept)
    }

    @Test("A session that has ended keeps neither its device nor the sessions of single watches")
    func ended() throws {
        let pair = try TestPair { $0.companions.serving = .all }
        #expect(pair.host.activate())
        #expect(pair.companion.activate())
        pair.host.delegate.events.expect { $0.contains("reachablecompanion true") }
        let core = pair.host.session.core
        #expect(pair.host.end())
        let (isDeviceKept, sessions) = core.state.withLock { ($0.shell != nil, $0.sessions.count) }
        #expect(!isDeviceKept)
        #expect(sessions == 0)
    }

    @Test("A watch that finds no phone knows why")
    func obstacle() {
        let device = TestDevice(.companion, in: scratch)
        #expect(device.activate())
        #expect(device.logs(.connectFailed))
        let obstacle = device.session.obstacle
        #expect(obstacle != .notConnected(reason: nil))
        guard case .notConnected = obstacle else {
            Issue.record("\(String(describing: obstacle))")
            return
        }
    }
}
