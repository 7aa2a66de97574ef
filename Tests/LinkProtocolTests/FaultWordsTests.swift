import Foundation
import Testing

@testable import LinkProtocol

@Suite("What faults did, in words")
struct FaultWordsTests {
    private static func package(_ command: Command, isAnswer: Bool = false) -> MessagePackage {
        MessagePackage(
            identifier: UUID(), command: command, status: .sent, answers: isAnswer ? UUID() : nil, timestamp: Date())
    }

    @Test("The words have the kind of package and the time that it took, and neither chance nor a selection")
    func words() throws {
        let lose = try FaultRule(words: ["lose", "any", "for=100ms", "jitter=1m", "probability=0.1"])
        let context = Self.package(.updateApplicationContext)
        #expect(lose.deed(on: context, for: .seconds(12.3456)) == "lose out context for=12346ms")
        let drop = try FaultRule(words: ["drop", "reply", "nth=3"])
        #expect(drop.deed(on: Self.package(.sendMessage, isAnswer: true), for: nil) == "drop out reply")
        let delay = try FaultRule(words: ["delay", "in", "any", "by=0s", "jitter=10s"])
        #expect(delay.deed(on: context, for: .milliseconds(1)) == "delay in context by=1ms")
        #expect(AppFault(.duplicate(.file), FaultSelection(nth: 2)).deed == "duplicate file at-app")
        #expect(FaultRule.Direction.incoming.lateness(.milliseconds(310)) == "late in by=310ms")
    }

    @Test("The words of a fault are a fault that does the same again")
    func again() throws {
        let rule = try FaultRule(words: ["delay", "in", "any", "by=1s", "times=2"])
        let words = rule.deed(on: Self.package(.transferUserInfo), for: .seconds(2))
        let again = try FaultRule(words: words.split(separator: " ").map(String.init))
        #expect(again == FaultRule(.delay(.seconds(2)), .userInfo, .incoming))
    }

    @Test("A delayed package says by how much, a lost link for how long")
    func decisions() throws {
        let device = Device(identifier: UUID(), role: .companion, name: "w")
        for (text, delay, loss) in [
            ("delay user-info by=2s", Duration.seconds(2), nil), ("lose user-info for=3s", nil, Duration.seconds(3)),
            ("drop user-info", nil, nil),
        ] as [(String, Duration?, Duration?)] {
            var machine = FaultStateMachine(Chance(seed: 1))
            machine.add(try FaultRule(words: text.split(separator: " ").map(String.init)))
            let passage = FaultStateMachine.Passage(Self.package(.transferUserInfo), device, .outgoing)
            let decision = machine.decide(passage, at: MonotonicTime(nanoseconds: 0))
            #expect(decision.delay == delay && decision.loss == loss, "\(text): \(decision)")
        }
    }
}
