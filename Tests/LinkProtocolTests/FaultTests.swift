import Foundation
import Testing
import Words

@testable import LinkProtocol

@Suite("Faults by meaning")
struct FaultTests {
    typealias Passage = FaultStateMachine.Passage
    let watch = Device(identifier: UUID(), role: .companion, name: "")

    func faults(_ rules: String...) throws -> FaultStateMachine {
        var faults = FaultStateMachine(Chance(seed: 1))
        for rule in rules { faults.add(try FaultRule(words: rule.split(separator: " ").map(String.init))) }
        return faults
    }

    /// Returns the number of packages that proceed.
    func count(_ passage: Passage, _ faults: inout FaultStateMachine, at time: Double = 0) -> Int {
        faults.decide(passage, at: at(time)).passing.count
    }

    func passage(_ command: Command, answers: UUID? = nil, _ direction: FaultRule.Direction = .outgoing) -> Passage {
        Passage(
            MessagePackage(
                identifier: UUID(), command: command, status: .sent, answers: answers,
                timestamp: Date(timeIntervalSince1970: 0)), watch, direction)
    }

    @Test("Only the targets of a rule are dropped")
    func drop() throws {
        var faults = try faults("drop reply", "drop context")
        let passages = [
            passage(.sendMessage), passage(.sendMessage, answers: UUID()),
            passage(.sendMessage, answers: UUID(), .incoming), passage(.updateApplicationContext),
            passage(.transferUserInfo), passage(.heartbeat),
        ]
        let counts = passages.map { count($0, &faults) }
        #expect(counts == [1, 0, 1, 0, 1, 1])
    }

    @Test("Only the third one; only the first two; about every other one, as the seed determines")
    func which() throws {
        var third = try faults("drop user-info nth=3")
        #expect(
            (1...5).map { _ in count(passage(.transferUserInfo), &third) } == [1, 1, 0, 1, 1])
        var first = try faults("duplicate reply times=2")
        let replies = (1...4).map { _ in count(passage(.sendMessage, answers: UUID()), &first) }
        #expect(replies == [2, 2, 1, 1])
        func chances() throws -> [Int] {
            var some = try faults("drop message probability=0.5")
            return (1...64).map { _ in count(passage(.sendMessage), &some) }
        }
        let drawn = try chances()
        let again = try chances()
        #expect(drawn == again)
        let passed = drawn.reduce(0, +)
        #expect((20...44).contains(passed))
    }

    @Test("Other channels overtake a delayed package, its own channel never does")
    func delay() throws {
        var faults = try faults("delay user-info by=2s times=1")
        let infos = (0..<3).map { _ in passage(.transferUserInfo) }
        let held = infos.map { count($0, &faults) }
        let others = count(passage(.updateApplicationContext), &faults)
        #expect(held == [0, 0, 0])
        #expect(others == 1)
        #expect(faults.nextDeadline == at(2))
        let early = faults.deadlinePassed(at: at(1)).count
        #expect(early == 0)
        let due = faults.deadlinePassed(at: at(2)).map(\.package.identifier)
        #expect(due == infos.map(\.package.identifier))
        #expect(faults.waitingCount == 0)
    }

    @Test("A delay is randomly longer, up to its jitter, and the same each time for a seed")
    func jitter() throws {
        func deadlines(_ chance: Chance) throws -> [MonotonicTime?] {
            try (0..<20).map { _ in
                var faults = FaultStateMachine(chance)
                faults.add(try FaultRule(words: ["delay", "message", "by=1s", "jitter=4s"]))
                _ = count(passage(.sendMessage), &faults)
                return faults.nextDeadline
            }
        }
        let least = try deadlines(Chance { _, _, _, _ in 0 })
        #expect(least == [MonotonicTime?](repeating: at(1), count: 20))
        let middle = try deadlines(Chance { _, _, options, _ in options / 2 })
        #expect(middle == [MonotonicTime?](repeating: at(3), count: 20))
        let drawn = try deadlines(Chance(seed: 2))
        let again = try deadlines(Chance(seed: 2))
        #expect(drawn == again)
        #expect(drawn.allSatisfy { $0.map { at(1) <= $0 && $0 < at(5) } == true }, "\(drawn)")
    }

    @Test("A package that breaks the link is lost itself, and determines how long the link is down")
    func loss() throws {
        var faults = try faults("lose message for=10s nth=2")
        let (first, second) = (passage(.sendMessage), passage(.sendMessage))
        let kept = faults.decide(first, at: at(0))
        let lost = faults.decide(second, at: at(0))
        #expect(kept.loss == nil)
        #expect(kept.passing.count == 1)
        #expect(lost.loss == .seconds(10))
        #expect(lost.passing.isEmpty)
        #expect(lost.fault?.effect == .lose(.seconds(10)))
        let world = ScriptedWorld([1, 999])
        var longer = FaultStateMachine(world.chance)
        longer.add(try FaultRule(words: ["lose", "any", "for=10s", "jitter=20s", "probability=0.5"]))
        let longest = longer.decide(first, at: at(0)).loss
        #expect(longest == .milliseconds(29_980))
        let event = "the link is lost with outgoing message #"
        #expect(world.asked.map(\.subject) == [event, "\(event), for up to 30.0 s"])
    }

    @Test("A stuck queue is released in one batch, in order")
    func hold() throws {
        var faults = try faults("hold user-info")
        let infos = (0..<4).map { _ in passage(.transferUserInfo) }
        let held = infos.map { count($0, &faults) }
        #expect(held == [0, 0, 0, 0])
        #expect(faults.nextDeadline == nil)
        let released = faults.release().map(\.package.identifier)
        #expect(released == infos.map(\.package.identifier))
        let behind = [count(passage(.transferUserInfo), &faults), faults.clear().count]
        #expect(behind == [0, 1])
        let free = count(passage(.transferUserInfo), &faults)
        #expect(free == 1)
    }

    @Test("Waiting packages are limited, and discarded with their connection")
    func bounded() throws {
        var faults = try faults("hold user-info")
        var passed = 0
        for _ in 0..<(FaultStateMachine.capacity + 10) {
            passed += count(passage(.transferUserInfo), &faults)
        }
        #expect(passed == 10)
        faults.disconnected(watch.identifier)
        #expect(faults.waitingCount == 0)
    }

    @Test(
        "Rules survive parsing and printing",
        arguments: [
            "drop out reply", "delay in context by=2000ms", "duplicate out reply probability=0.3",
            "hold out user-info", "drop in any nth=3 times=2", "delay in any by=0ms jitter=500ms probability=0.25",
            "lose out any for=10000ms", "lose in message for=1ms jitter=60000ms nth=2",
        ])
    func words(_ words: String) throws {
        let rule = try FaultRule(words: words.split(separator: " ").map(String.init)).description
        #expect(rule == words)
    }

    @Test(
        "Invalid rules are refused",
        arguments: [
            "", "drop", "drop everything", "delay reply", "drop reply by=2s", "drop reply nth=0", "explode reply",
            "drop reply probability=2", "drop reply often", "drop reply colour=blue",
            "lose reply", "lose reply by=2s", "drop reply jitter=2s", "delay reply jitter=2s", "hold reply for=2s",
        ])
    func refused(_ words: String) {
        #expect(throws: WordError.self) {
            try FaultRule(words: words.split(separator: " ").map(String.init))
        }
    }

    @Test("A deferred package is not overtaken; a new round, or a new connection, ends the wait")
    func gate() {
        var gate = ArrivalGate()
        let device = watch.identifier
        func admits(_ kind: TransferKind, _ sender: UUID? = nil, startsRound: Bool = false) -> Bool {
            gate.admits(kind, from: sender ?? device, startsRound: startsRound)
        }
        #expect(admits(.userInfo))
        gate.putOff(.userInfo, from: device)
        #expect(!admits(.userInfo))
        #expect(!admits(.complication))
        #expect(admits(.context))
        #expect(admits(.userInfo, UUID()))
        #expect(admits(.userInfo, startsRound: true))
        #expect(admits(.userInfo))
        gate.putOff(.context, from: device)
        gate.disconnected(device)
        #expect(admits(.context))
    }

    @Test("Each command, and the answer to it, belongs to a kind; those without which there is no link to none")
    func targets() {
        for command in Command.allCases {
            let expected: [FaultTarget?] =
                switch command {
                case .sendMessage, .sendMessageData: [.message, .reply]
                case .updateApplicationContext: [.context, .acknowledgement]
                case .transferUserInfo, .transferCurrentComplicationUserInfo: [.userInfo, .acknowledgement]
                case .transferFile: [.file, .acknowledgement]
                case .fileChunk, .fileProgress, .cancel: [.file, .file]
                case .state: [.state, .state]
                case .hello, .heartbeat, .goodbye, .unrecognized: [nil, nil]
                }
            let packages = [passage(command).package, passage(command, answers: UUID()).package]
            let targets = packages.map { FaultTarget($0) }
            #expect(targets == expected, "\(command)")
        }
    }

    @Test("Each rule counts all packages that match it, whichever rule applies, and no others")
    func counted() throws {
        var two = try faults("drop message times=2", "drop message nth=3")
        let messages = (0..<4).map { _ in count(passage(.sendMessage), &two) }
        #expect(messages == [0, 0, 0, 1])
        #expect(two.injectedCount == 3)
        var any = try faults("drop any nth=3")
        let passages = [
            passage(.sendMessage), passage(.heartbeat), passage(.sendMessage, answers: nil, .incoming),
            passage(.sendMessage, answers: UUID()), passage(.transferFile), passage(.transferFile),
        ]
        let others = passages.map { count($0, &any) }
        #expect(others == [1, 1, 1, 1, 0, 1])
        #expect(any.injectedCount == 1)
    }

    @Test("At the limit of waiting packages, the first of the same channel passes")
    func boundedChannels() throws {
        var faults = try faults("hold any")
        let infos = (0..<FaultStateMachine.capacity).map { _ in passage(.transferUserInfo) }
        let held = infos.map { count($0, &faults) }.reduce(0, +)
        #expect(held == 0)
        #expect(faults.waitingCount == FaultStateMachine.capacity)
        let (context, info) = (passage(.updateApplicationContext), passage(.transferUserInfo))
        let passed = [context, info].flatMap { faults.decide($0, at: at(0)).passing.map(\.package.identifier) }
        #expect(passed == [context.package.identifier, infos[0].package.identifier])
        #expect(faults.waitingCount == FaultStateMachine.capacity)
    }

    @Test("A rule that always applies draws no number, so that others draw the same without it")
    func draws() throws {
        var alone = try faults("drop message probability=0.5")
        var both = try faults("drop context", "drop message probability=0.5")
        var passed: [[Int]] = [[], []]
        for _ in 0..<64 {
            passed[0].append(count(passage(.sendMessage), &alone))
            let dropped = count(passage(.updateApplicationContext), &both)
            #expect(dropped == 0)
            passed[1].append(count(passage(.sendMessage), &both))
        }
        #expect(passed[0] == passed[1])
        let kinds = Set(passed[0])
        #expect(kinds == [0, 1])
    }
}
