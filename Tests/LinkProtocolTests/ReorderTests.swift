import Foundation
import Testing
import Words

@testable import LinkProtocol

@Suite("Reordered packages")
struct ReorderTests {
    private static let phone = Device(identifier: UUID(), role: .host, name: "")

    private static func passage(_ command: Command) -> FaultStateMachine.Passage {
        FaultStateMachine.Passage(
            MessagePackage(identifier: UUID(), command: command, status: .sent, timestamp: Date()), phone, .incoming)
    }

    /// A machine that answers “whose turn is it” by a list, and notes the numbers of possible answers.
    private final class Answers: @unchecked Sendable {
        // Proof of `@unchecked Sendable`: each test uses it on its own thread only.
        var left: [UInt32]
        var options: [UInt32] = []

        init(_ answers: [UInt32]) { left = answers }

        var machine: FaultStateMachine {
            var machine = FaultStateMachine(
                Chance { [self] question, subject, options, oneIn in
                    #expect(question == .fault && subject == FaultStateMachine.turn && oneIn == 1)
                    self.options.append(options)
                    return left.isEmpty ? 0 : min(left.removeFirst(), options - 1)
                })
            machine.add(FaultRule(.reorder(.seconds(5)), .any, .incoming))
            return machine
        }
    }

    /// Lets two user infos, a context and a message wait; returns the kinds in the order in which they pass.
    private static func order(_ answers: Answers) throws -> [String] {
        var machine = answers.machine
        let sent = [Command.transferUserInfo, .transferUserInfo, .updateApplicationContext, .sendMessage].map(passage)
        for (second, passage) in sent.enumerated() {
            #expect(machine.decide(passage, at: at(Double(second))).passing.isEmpty)
        }
        #expect(machine.nextDeadline == at(5))
        #expect(machine.deadlinePassed(at: at(4.9)).isEmpty)
        var passed: [FaultStateMachine.Passage] = []
        for _ in sent {
            let deadline = try #require(machine.nextDeadline)
            let passing = machine.deadlinePassed(at: deadline)
            #expect(passing.count == 1, "one at a time, so that the app can react to each")
            passed += passing
        }
        #expect(machine.nextDeadline == nil && machine.waitingCount == 0)
        let infos = passed.filter { $0.package.command == .transferUserInfo }
        #expect(infos == Array(sent.prefix(2)), "a channel keeps its order")
        return passed.map { $0.package.commandName }
    }

    @Test("Each list of answers gives another order, and no answer is asked for when one channel waits")
    func orders() throws {
        var orders: Set<[String]> = []
        for first in 0..<3 as Range<UInt32> {
            for second in 0..<3 as Range<UInt32> {
                for third in 0..<2 as Range<UInt32> {
                    let answers = Answers([first, second, third])
                    orders.insert(try Self.order(answers))
                    #expect(answers.options.allSatisfy { $0 > 1 }, "\(answers.options)")
                }
            }
        }
        // 4! orders of four packages, two of which keep theirs.
        #expect(orders.count == 12)
    }

    @Test("A package that comes when nothing waits any more waits for others again")
    func again() throws {
        var machine = Answers([]).machine
        _ = machine.decide(Self.passage(.transferUserInfo), at: at(0))
        #expect(machine.deadlinePassed(at: at(5)).count == 1)
        _ = machine.decide(Self.passage(.transferUserInfo), at: at(7))
        #expect(machine.nextDeadline == at(12))
        #expect(machine.release().count == 1)
        #expect(machine.nextDeadline == nil)
        _ = machine.decide(Self.passage(.transferUserInfo), at: at(20))
        machine.disconnected(Self.phone.identifier)
        #expect(machine.deadlinePassed(at: at(25)).isEmpty)
        #expect(machine.nextDeadline == nil)
    }

    @Test("The words of the rule are read and written")
    func words() throws {
        let rule = try FaultRule(words: ["reorder", "in", "any", "within=5s"])
        #expect(rule == FaultRule(.reorder(.seconds(5)), .any, .incoming))
        #expect(try FaultRule(words: rule.words) == rule)
        #expect(throws: WordError.self) { try FaultRule(words: ["reorder", "in", "any"]) }
        #expect(throws: WordError.self) { try FaultRule(words: ["reorder", "any", "within=5s", "jitter=1s"]) }
    }
}
