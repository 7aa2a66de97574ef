import Foundation
import Testing

@testable import LinkProtocol

@Suite("Connection machine")
struct ConnectionStateMachineTests {
    static let times = {
        var times = LinkTimes()
        times.heartbeat = .seconds(10)
        return times
    }()

    static func established(_ role: DeviceRole = .host) throws -> ConnectionStateMachine {
        var machine = ConnectionStateMachine(role: role, times: times)
        machine.opened(at: at(0))
        _ = machine.received(try hello(role.counterpart), at: at(0))
        return machine
    }

    static func code(_ action: ConnectionStateMachine.ReceivedAction) -> ProtocolError.Code? {
        if case .fail(let error) = action { error.code } else { nil }
    }

    @Test("A hello from the counterpart establishes the connection", arguments: DeviceRole.allCases)
    func establishes(_ role: DeviceRole) throws {
        var machine = ConnectionStateMachine(role: role, times: Self.times)
        machine.opened(at: at(0))
        let action = machine.received(try hello(role.counterpart), at: at(1))
        guard case .establish(let hello, _) = action else { return #expect(Bool(false), "\(action)") }
        #expect(hello.device.role == role.counterpart)
        #expect(machine.received(message(), at: at(2)) == .deliver)
    }

    @Test("A hello from the same role is refused")
    func wrongRole() throws {
        var machine = ConnectionStateMachine(role: .host, times: Self.times)
        machine.opened(at: at(0))
        let refusal = Self.code(machine.received(try hello(.host), at: at(1)))
        #expect(refusal == .wrongRole)
        let isClosed = machine.isClosed
        #expect(isClosed)
    }

    @Test("Another version is refused")
    func wrongVersion() throws {
        var machine = ConnectionStateMachine(role: .host, times: Self.times)
        machine.opened(at: at(0))
        let refusal = Self.code(machine.received(try hello(.companion, versions: 3...9), at: at(1)))
        #expect(refusal == .versionMismatch)
    }

    @Test("The first package must be a hello", arguments: Command.allCases.filter { $0 != .hello && $0 != .goodbye })
    func helloExpected(_ command: Command) {
        var machine = ConnectionStateMachine(role: .host, times: Self.times)
        machine.opened(at: at(0))
        #expect(Self.code(machine.received(message(command), at: at(1))) == .helloExpected)
    }

    @Test("A hello without content is refused")
    func emptyHello() {
        var machine = ConnectionStateMachine(role: .host, times: Self.times)
        machine.opened(at: at(0))
        #expect(Self.code(machine.received(message(.hello, nil), at: at(1))) == .badHello)
    }

    @Test("A second hello is refused")
    func helloTwice() throws {
        var machine = try Self.established()
        let refusal = Self.code(machine.received(try hello(.companion), at: at(1)))
        #expect(refusal == .helloRepeated)
    }

    @Test("The connection is closed at the hello deadline, and no sooner")
    func helloTimeout() {
        var machine = ConnectionStateMachine(role: .host, times: Self.times)
        machine.opened(at: at(0))
        let next = machine.nextDeadline
        #expect(next == at(5))
        #expect(machine.deadlinePassed(at: at(4.9)) == .nothing)
        let due = machine.deadlinePassed(at: at(5))
        guard case .fail(let error) = due else {
            Issue.record("expected a failure, came \(due)")
            return
        }
        #expect(error.code == .helloTimeout)
    }

    @Test(
        "A heartbeat is sent when nothing else was; the host leaves the companion time for its own",
        arguments: [(DeviceRole.companion, 10.0), (.host, 10.5)])
    func heartbeat(_ role: DeviceRole, _ interval: Double) throws {
        var machine = try Self.established(role)
        let next = machine.nextDeadline
        #expect(next == at(interval))
        machine.sent(at: at(4))
        #expect(machine.deadlinePassed(at: at(interval)) == .nothing)
        let later = machine.nextDeadline
        #expect(later == at(4 + interval))
        #expect(machine.deadlinePassed(at: at(4 + interval)) == .sendHeartbeat)
    }

    @Test("A heartbeat is answered if this side has sent nothing for half an interval", arguments: DeviceRole.allCases)
    func heartbeatAnswered(_ role: DeviceRole) throws {
        var machine = try Self.established(role)
        #expect(machine.received(message(.heartbeat), at: at(4.999)) == .ignore)
        #expect(machine.received(message(.state), at: at(5)) == .deliver)
        #expect(machine.received(message(.heartbeat), at: at(5)) == .sendHeartbeat)
        machine.sent(at: at(5))
        #expect(machine.received(message(.heartbeat), at: at(5)) == .ignore)
        #expect(machine.received(message(.heartbeat), at: at(9.999)) == .ignore)
        #expect(machine.received(message(.heartbeat), at: at(10)) == .sendHeartbeat)
        machine.closed()
        #expect(machine.received(message(.heartbeat), at: at(30)) == .ignore)
    }

    @Test("A pair at rest exchanges heartbeats on the companion's timer; the host's is never due")
    func atRest() throws {
        var host = try Self.established(.host)
        var companion = try Self.established(.companion)
        for time in stride(from: 10.0, through: 600, by: 10) {
            let next = companion.nextDeadline
            #expect(next == at(time))
            #expect(host.deadlinePassed(at: at(time)) == .nothing)
            #expect(companion.deadlinePassed(at: at(time)) == .sendHeartbeat)
            companion.sent(at: at(time))
            #expect(host.received(message(.heartbeat), at: at(time)) == .sendHeartbeat)
            host.sent(at: at(time))
            #expect(companion.received(message(.heartbeat), at: at(time)) == .ignore)
        }
    }

    @Test("However short the permitted silence, a host that only reads says in time that it is alive")
    func shortSilence() throws {
        var times = Self.times
        (times.heartbeat, times.silence) = (.seconds(34), .seconds(35))
        var machine = ConnectionStateMachine(role: .host, times: times)
        machine.opened(at: at(0))
        _ = machine.received(try hello(.companion), at: at(0))
        let next = machine.nextDeadline
        #expect(next == at(34.5))
    }

    @Test("Silence closes the connection; any package ends the silence")
    func silence() throws {
        var machine = try Self.established()
        machine.sent(at: at(34))
        #expect(machine.received(message(.state), at: at(20)) == .deliver)
        #expect(machine.deadlinePassed(at: at(36)) == .nothing)
        let due = machine.deadlinePassed(at: at(55))
        guard case .fail(let error) = due else {
            Issue.record("expected a failure, came \(due)")
            return
        }
        #expect(error.code == .silent)
    }

    @Test("Silence is ignored while this side does not read")
    func pausedReading() throws {
        var machine = try Self.established()
        machine.readingChanged(false, at: at(1))
        machine.sent(at: at(999))
        #expect(machine.deadlinePassed(at: at(1000)) == .nothing)
        machine.readingChanged(true, at: at(1000))
        machine.sent(at: at(1030))
        #expect(machine.deadlinePassed(at: at(1034)) == .nothing)
        let due = machine.deadlinePassed(at: at(1035))
        guard case .fail = due else {
            Issue.record("expected a failure, came \(due)")
            return
        }
    }

    @Test("A goodbye carries its reason, and nothing is delivered after it")
    func goodbye() throws {
        var machine = try Self.established()
        let goodbye = MessagePackage(
            identifier: UUID(), command: .goodbye, status: .sent, errorMessage: "tired", timestamp: Date())
        #expect(machine.received(goodbye, at: at(1)) == .peerCloses(reason: "tired"))
        #expect(machine.received(message(), at: at(1)) == .ignore)
        let next = machine.nextDeadline
        #expect(next == nil)
    }

    @Test("A connection is closed neither before it is opened nor while it greets")
    func notClosed() {
        var machine = ConnectionStateMachine(role: .host, times: Self.times)
        let isClosedAtFirst = machine.isClosed
        #expect(!isClosedAtFirst)
        let deadline = machine.nextDeadline
        #expect(deadline == nil)
        machine.opened(at: at(0))
        let isClosed = machine.isClosed
        #expect(!isClosed)
        machine.closed()
        let isClosedAtLast = machine.isClosed
        #expect(isClosedAtLast)
    }
}
