import Foundation
import Testing

@testable import LinkProtocol

@Suite("Session of a device")
struct SessionStateMachineTests {
    let watch = Device(identifier: UUID(), role: .companion, name: "Watch")

    func machine() -> SessionStateMachine {
        var times = LinkTimes()
        times.reply = .seconds(30)
        let presence = PresenceStateMachine(
            role: .host, policy: CompanionPolicy(), state: DeviceState(), companions: [])
        var machine = SessionStateMachine(presence, times: times)
        _ = machine.change { $0.activate() }
        _ = machine.connected(watch, DeviceState(), said: machine.presence.hello, at: at(0))
        return machine
    }

    func message() -> MessagePackage {
        MessagePackage(
            identifier: UUID(), command: .sendMessageData, status: .sent, dataPackage: Data(count: 10),
            wantsReply: true,
            timestamp: Date(timeIntervalSince1970: 0))
    }

    func failures(_ actions: [SessionStateMachine.Action]) -> [MessageFailure] {
        actions.compactMap { if case .failed(_, let failure) = $0 { failure } else { nil } }
    }

    @Test("A message ends once: replied, lost with its connection, or timed out")
    func ends() {
        var machine = machine()
        let identifiers = (0..<3).map { _ in UUID() }
        for identifier in identifiers {
            #expect(machine.send(identifier, wantsReply: true, to: watch.identifier, at: at(0)) == nil)
        }
        #expect(machine.send(identifiers[0], wantsReply: true, to: watch.identifier, at: at(0)) == .underWay)
        #expect(machine.send(UUID(), wantsReply: true, to: UUID(), at: at(0)) == .notReachable)
        let reply = MessagePackage(
            identifier: UUID(), command: .sendMessageData, status: .replied, answers: identifiers[0],
            timestamp: Date(timeIntervalSince1970: 0))
        let given = machine.received(reply, from: watch, bytes: 1)
        guard case .replied(identifiers[0], _)? = given.first else {
            Issue.record("the reply is not given to its handler: \(given)")
            return
        }
        let second = machine.received(reply, from: watch, bytes: 1)
        guard case .stray(.toNothing, _, _)? = second.first else {
            Issue.record("the second reply is not stray: \(second)")
            return
        }
        #expect(machine.nextDeadline == at(30))
        #expect(failures(machine.deadlinePassed(at: at(30))) == [.timedOut, .timedOut])
        #expect(machine.send(identifiers[0], wantsReply: true, to: watch.identifier, at: at(31)) == nil)
        #expect(
            failures(machine.disconnected(watch.identifier, reason: "gone")) == [.connectionLost(reason: "gone")])
        #expect(machine.outstandingCount == 0)
    }

    @Test("A device too far ahead of the app is not read from until half of its content was handled")
    func backPressure() {
        var machine = machine()
        var readings: [Bool] = []
        func note(_ actions: [SessionStateMachine.Action]) {
            for case .setReading(_, let isReading) in actions { readings.append(isReading) }
        }
        for _ in 0..<LinkLimits.undeliveredMessages { note(machine.received(message(), from: watch, bytes: 10)) }
        #expect(readings == [false])
        for _ in 0..<(LinkLimits.undeliveredMessages / 2) { note(machine.handled(watch.identifier, bytes: 10)) }
        #expect(readings == [false, true])
    }

    @Test("An app that is suspended while its counterpart is not read from is woken at once, to make room")
    func suspendedUnread() {
        var machine = machine()
        _ = machine.change { $0.enter(.foreground) }
        for _ in 1..<LinkLimits.undeliveredMessages { _ = machine.received(message(), from: watch, bytes: 10) }
        _ = machine.change { $0.enter(.suspended) }
        #expect(machine.presence.own.application == .suspended)
        _ = machine.change { $0.enter(.background) }
        _ = machine.received(message(), from: watch, bytes: 10)
        _ = machine.change { $0.enter(.suspended) }
        #expect(machine.presence.own.application == .background)
        #expect(machine.presence.awaitsDrain)
        _ = machine.drained()
        #expect(machine.presence.own.application == .suspended)
    }

    @Test("A package that does not fit its command closes the connection")
    func misbehaved() {
        var machine = machine()
        let state = MessagePackage(
            identifier: UUID(), command: .state, status: .sent, dataPackage: Data([1, 2, 3]),
            timestamp: Date(timeIntervalSince1970: 0))
        let actions = machine.received(state, from: watch, bytes: 1)
        guard case .misbehaved(watch.identifier, _)? = actions.first else {
            Issue.record("a state that cannot be read goes through: \(actions)")
            return
        }
    }
}
