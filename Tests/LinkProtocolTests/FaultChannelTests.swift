import Foundation
import Testing
import Words

@testable import LinkProtocol

@Suite("Channels of faults")
struct FaultChannelTests {
    typealias Passage = FaultStateMachine.Passage

    private static func watch(_ number: UInt8) -> Device {
        Device(
            identifier: UUID(uuid: (number, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)), role: .companion, name: "")
    }

    private static func passage(
        _ command: Command, _ device: Device, _ direction: FaultRule.Direction = .outgoing
    ) -> Passage {
        Passage(
            MessagePackage(
                identifier: UUID(), command: command, status: .sent, timestamp: Date(timeIntervalSince1970: 0)), device,
            direction)
    }

    private static func machine(_ rules: FaultRule...) -> FaultStateMachine {
        var machine = FaultStateMachine(Chance(seed: 1))
        for rule in rules { machine.add(rule) }
        return machine
    }

    @Test("A shorter delay behind a longer one ends with it, and a longer one behind it ends by itself")
    func delays() {
        var machine = Self.machine(
            FaultRule(.delay(.seconds(10)), .userInfo, .outgoing, FaultSelection(nth: 1)),
            FaultRule(.delay(.seconds(1)), .userInfo, .outgoing, FaultSelection(nth: 2)),
            FaultRule(.delay(.seconds(20)), .userInfo, .outgoing, FaultSelection(nth: 3)))
        let passages = (0..<4).map { _ in Self.passage(.transferUserInfo, Self.watch(1)) }
        for passage in passages { _ = machine.decide(passage, at: at(0)) }
        var passed: [[Passage]] = []
        for seconds in [1.0, 9.9, 10, 19.9, 20] { passed.append(machine.deadlinePassed(at: at(seconds))) }
        #expect(passed == [[], [], [passages[0], passages[1]], [], [passages[2], passages[3]]])
        #expect(machine.waitingCount == 0)
        #expect(machine.nextDeadline == nil)
    }

    @Test("What waits for different devices, kinds and directions passes in a fixed order, each at its time")
    func order() {
        var machine = Self.machine(
            FaultRule(.delay(.seconds(5)), .any, .outgoing), FaultRule(.delay(.seconds(3)), .any, .incoming))
        let passages = [
            Self.passage(.transferUserInfo, Self.watch(2)), Self.passage(.transferUserInfo, Self.watch(1)),
            Self.passage(.updateApplicationContext, Self.watch(1)),
            Self.passage(.transferUserInfo, Self.watch(1), .incoming),
        ]
        for passage in passages { _ = machine.decide(passage, at: at(0)) }
        #expect(machine.nextDeadline == at(3))
        let incoming = machine.deadlinePassed(at: at(3))
        #expect(incoming == [passages[3]])
        #expect(machine.waitingCount == 3)
        #expect(machine.nextDeadline == at(5))
        let outgoing = machine.deadlinePassed(at: at(5))
        #expect(outgoing == [passages[2], passages[1], passages[0]])
    }

    @Test("All that is released comes in the same order of channels, each in its own order")
    func released() {
        var machine = Self.machine(FaultRule(.hold, .any))
        let passages = [2, 1, 2, 1].map { Self.passage(.transferUserInfo, Self.watch($0)) }
        for passage in passages { _ = machine.decide(passage, at: at(0)) }
        let released = machine.release()
        #expect(released == [passages[1], passages[3], passages[0], passages[2]])
        #expect(machine.waitingCount == 0)
    }

    @Test("A lost connection discards what waits for its device, and nothing else")
    func disconnected() {
        var machine = Self.machine(FaultRule(.delay(.seconds(5)), .any))
        let passages = [1, 2].map { Self.passage(.transferUserInfo, Self.watch($0)) }
        for passage in passages { _ = machine.decide(passage, at: at(0)) }
        machine.disconnected(Self.watch(1).identifier)
        #expect(machine.waitingCount == 1)
        let due = machine.deadlinePassed(at: at(5))
        #expect(due == [passages[1]])
    }

    @Test("A rule concerns its direction only, and a decision names the rule and what passes")
    func directions() {
        var machine = Self.machine(FaultRule(.drop, .message, .incoming))
        let (sent, received) = (
            Self.passage(.sendMessage, Self.watch(1)), Self.passage(.sendMessage, Self.watch(1), .incoming)
        )
        let passing = machine.decide(sent, at: at(0))
        #expect(passing == FaultStateMachine.Decision(passing: [sent]))
        let dropped = machine.decide(received, at: at(0))
        #expect(dropped == FaultStateMachine.Decision(fault: FaultRule(.drop, .message, .incoming)))
        #expect(machine.injectedCount == 1)
        let cleared = machine.clear()
        #expect(cleared == [])
        #expect(machine.rules == [])
        #expect(machine.isIdle)
    }

    @Test("Without jitter and without a probability, a fault asks for no decision")
    func certain() {
        let world = ScriptedWorld([])
        var machine = FaultStateMachine(world.chance)
        machine.add(FaultRule(.delay(.seconds(5)), .message))
        machine.add(FaultRule(.lose(.seconds(7)), .context))
        let delayed = machine.decide(Self.passage(.sendMessage, Self.watch(1)), at: at(0))
        let lost = machine.decide(Self.passage(.updateApplicationContext, Self.watch(1)), at: at(0))
        #expect(delayed.passing == [])
        #expect(machine.nextDeadline == at(5))
        #expect(lost.loss == .seconds(7))
        #expect(world.asked.isEmpty)
    }

    @Test("A duplicate at the app must say so")
    func atApp() {
        #expect(throws: WordError.self) { try AppFault(words: ["duplicate", "message"]) }
        #expect(throws: WordError.self) { try AppFault(words: ["duplicate", "message", "nth=2"]) }
    }

    @Test("The session causes the usual hazards, duplicates and switches, named in a fixed order")
    func hazards() {
        #expect(DeviceHazard.ofSession == [.loss, .slowness, .answers, .deliveries, .duplicates, .switches])
        let hazards: [DeviceHazard] = [.clock, .switches, .disk, .loss]
        let words = DeviceHazard.words(forSession: hazards)
        #expect(words == "loss,switches")
    }

    @Test("A plain selection needs no words, and each part of one has its own")
    func selections() {
        let words = [
            FaultSelection(), FaultSelection(nth: 2, probability: 0.5, limit: 3), FaultSelection(probability: 0),
        ].map(\.words)
        #expect(words == [[], ["nth=2", "times=3", "probability=0.5"], ["probability=0.0"]])
    }
}
