import Cassettes
import Foundation
import KeyedArchive
import Testing

@testable import CassetteReplay

@Suite("The counterpart's part")
struct PlayMachineTests {
    @Test("A message is sent at its time, and an answer so long after the message that it answers")
    func times() throws {
        var tape = TapeBuilder()
        tape.add("connected", package: 9)
        tape.add("didReceiveUserInfo", ["u": 1], package: 1, after: 4)
        tape.add("sendMessage", ["m": 1], package: 2, wantsReply: true, after: 5)
        tape.add("replyHandler", ["r": 1], package: 2, after: 0.5)
        var machine = PlayMachine(Play(tape.tape()))
        #expect(machine.changed(.reachable, at: 0) == [])
        #expect(machine.deadline == 1_000_000)
        #expect(machine.timePassed(at: 1_000_000) == [.activate])
        #expect(machine.deadline == 5_000_000)
        #expect(machine.timePassed(at: 4_999_999) == [])
        #expect(try Played.sent(machine.timePassed(at: 5_000_000)) == [.dictionary(["u": .integer(1)])])
        #expect(machine.deadline == nil)
        #expect(!machine.isDone)
        let message = PlayMachine.Arrival(.message, try Played.content(["m": 1]), ticket: 7)
        #expect(machine.arrived(message, at: 20_000_000) == [])
        #expect(machine.deadline == 20_500_000)
        guard case .answer(ticket: 7, let data, _) = machine.timePassed(at: 20_500_000).first else {
            Issue.record("no answer")
            return
        }
        #expect(try PropertyListValue(binary: data) == .dictionary(["r": .integer(1)]))
        #expect(machine.isDone)
    }

    @Test("What faults of the link did is not repeated: a play with their events is the play without them")
    func faults() throws {
        func moves(_ hasFaults: Bool) -> [Move] {
            var tape = TapeBuilder()
            func fault(_ words: String, _ package: Int?) {
                // In the time of the event before it.
                if hasFaults { tape.add("fault", package: package, after: 0, words: words) }
            }
            tape.add("connected", package: 9)
            fault("late out by=310ms", nil)
            tape.add("didReceiveUserInfo", ["u": 1], package: 1)
            tape.add("didReceiveUserInfo", ["u": 1], package: 7)
            tape.add("sendMessage", ["m": 1], package: 2, wantsReply: true)
            fault("lose out message for=12500ms", 2)
            tape.add("disconnected", package: 9)
            tape.add("errorHandler", package: 2, error: 7012)
            tape.add("connected", package: 9)
            return Play(tape.tape()).moves
        }
        func text(_ moves: [Move]) -> [String] { moves.map { "\($0.kind)" } }
        #expect(text(moves(true)) == text(moves(false)))
        #expect(moves(false).count(where: { if case .send = $0.kind { true } else { false } }) == 2)
    }

    @Test("What followed something that the app sent follows it in a replay, too, and is five seconds late without it")
    func likelyCauses() throws {
        var tape = TapeBuilder()
        tape.add("connected", package: 9)
        tape.add("transferUserInfo", ["u": 1], package: 1, after: 4)
        tape.add("didReceiveContext", ["c": 1], package: 2, after: 0.1)
        tape.add("sendMessage", ["m": 1], package: 3, wantsReply: true, after: 5)
        tape.add("didReceiveContext", ["c": 2], package: 4, after: 2)
        tape.add("replyHandler", ["r": 1], package: 3, after: 1)
        tape.add("didReceiveContext", ["c": 3], package: 5, after: 0.2)
        var machine = PlayMachine(Play(tape.tape()))
        _ = machine.changed(.reachable, at: 0)
        #expect(machine.timePassed(at: 1_000_000) == [.activate])
        #expect(machine.deadline == 10_100_000, "five seconds after its time: \(machine.deadline ?? -1)")
        let info = PlayMachine.Arrival(.userInfo, try Played.content(["u": 1]))
        #expect(machine.arrived(info, at: 7_000_000) == [])
        #expect(machine.deadline == 7_100_000, "not with its cause: \(machine.deadline ?? -1)")
        #expect(try Played.sent(machine.timePassed(at: 7_100_000)) == [.dictionary(["c": .integer(1)])])
        // The last one came long after the message, and after its answer.
        #expect(machine.deadline == 13_300_000, "\(machine.deadline ?? -1)")
        #expect(try Played.sent(machine.timePassed(at: 13_300_000)) == [.dictionary(["c": .integer(3)])])
        #expect(machine.deadline == 17_100_000, "five seconds after its time: \(machine.deadline ?? -1)")
        #expect(try Played.sent(machine.timePassed(at: 17_100_000)) == [.dictionary(["c": .integer(2)])])
        let message = PlayMachine.Arrival(.message, try Played.content(["m": 1]), ticket: 7)
        #expect(machine.arrived(message, at: 20_000_000) == [], "what was played is not played again")
        #expect(machine.deadline == 23_000_000, "\(machine.deadline ?? -1)")
    }

    @Test("A message waits until its session is reachable, a transfer until it is activated, and what follows as long")
    func conditions() throws {
        var tape = TapeBuilder()
        tape.add("didReceiveUserInfo", ["u": 1], package: 1, after: 1)
        tape.add("didReceiveMessage", ["m": 1], package: 2, after: 1)
        tape.add("didReceiveUserInfo", ["u": 2], package: 3, after: 1)
        var machine = PlayMachine(Play(tape.tape()))
        #expect(machine.timePassed(at: 1_000_000) == [.activate], "a user info was sent before the activation")
        #expect(machine.deadline == 6_000_000, "the deadline is \(machine.deadline ?? -1)")
        let first = try Played.sent(machine.changed(.activated, at: 1_500_000))
        #expect(first == [.dictionary(["u": .integer(1)])])
        #expect(machine.deadline == 2_500_000, "what follows is not as much later: \(machine.deadline ?? -1)")
        #expect(machine.timePassed(at: 2_500_000) == [], "a message was sent to a counterpart out of reach")
        #expect(try Played.sent(machine.changed(.reachable, at: 2_600_000)) == [.dictionary(["m": .integer(1)])])
        #expect(machine.deadline == 3_600_000, "what follows is not as much later: \(machine.deadline ?? -1)")
        #expect(try Played.sent(machine.timePassed(at: 3_600_000)) == [.dictionary(["u": .integer(2)])])
    }

    @Test("A session that never becomes reachable stops nothing for ever")
    func patience() throws {
        var tape = TapeBuilder()
        tape.add("didReceiveMessage", ["m": 1], package: 1, after: 1)
        tape.add("didReceiveUserInfo", ["u": 1], package: 2, after: 1)
        var machine = PlayMachine(Play(tape.tape()))
        _ = machine.changed(.activated, at: 0)
        #expect(machine.timePassed(at: 5_999_999) == [], "it did not wait")
        let sent = try Played.sent(machine.timePassed(at: 6_000_000))
        #expect(sent == [.dictionary(["m": .integer(1)]), .dictionary(["u": .integer(1)])])
        #expect(machine.isDone)
    }

    @Test("An answer has the values of the message that arrived")
    func echoes() throws {
        let made = UUID().uuidString
        var tape = TapeBuilder(keeping: [])
        tape.add("sendMessage", ["id": made], package: 1, wantsReply: true)
        tape.add("replyHandler", ["for": made], package: 1)
        var machine = PlayMachine(Play(tape.tape()))
        let fresh = UUID().uuidString
        _ = machine.arrived(PlayMachine.Arrival(.message, try Played.content(["id": fresh]), ticket: 1), at: 0)
        let answers = try Played.sent(machine.timePassed(at: 10_000_000))
        #expect(answers == [.dictionary(["for": .string(fresh)])])
    }

    @Test("A message that is sent again with its identifier is answered as before, and is not taken for the next one")
    func copies() throws {
        var tape = TapeBuilder(keeping: [])
        for number in 1...2 {
            let made = UUID().uuidString
            tape.add("sendMessage", ["id": made], package: number, wantsReply: true)
            tape.add("replyHandler", ["for": made], package: number, after: 0.5)
        }
        var machine = Played.begun(tape)
        let (first, second) = (UUID().uuidString, UUID().uuidString)
        var answers: [PropertyListValue] = []
        for (number, made) in [first, first, second, second].enumerated() {
            let time = Int64(number) * 1_000_000
            _ = machine.arrived(try Played.message(["id": made], ticket: number), at: time)
            answers += try Played.sent(machine.timePassed(at: time + 500_000))
        }
        #expect(answers == [first, first, second, second].map { .dictionary(["for": .string($0)]) }, "\(answers)")
        #expect(machine.isDone)
    }

    @Test("Two messages with one identifier are two if they were two in the recording")
    func recordedCopies() throws {
        let made = UUID().uuidString
        var tape = TapeBuilder(keeping: [])
        for number in 1...2 {
            tape.add("sendMessage", ["id": made], package: number, wantsReply: true)
            tape.add("replyHandler", ["r": number], package: number, after: 0.5)
        }
        var machine = Played.begun(tape)
        let fresh = UUID().uuidString
        for number in 0...1 {
            let time = Int64(number) * 1_000_000
            _ = machine.arrived(try Played.message(["id": fresh], ticket: number), at: time)
            let answer = try Played.sent(machine.timePassed(at: time + 500_000))
            #expect(answer.count == 1, "message \(number)")
        }
        #expect(machine.isDone)
    }

    @Test("What arrives is taken for the recorded message that it is most like, in any order")
    func matches() throws {
        var tape = TapeBuilder()
        for (number, key) in ["a", "b"].enumerated() {
            tape.add("sendMessage", [key: 1], package: number, wantsReply: true)
            tape.add("replyHandler", ["to": key], package: number)
        }
        var machine = PlayMachine(Play(tape.tape()))
        _ = machine.timePassed(at: 0)
        for (ticket, key) in ["b", "a"].enumerated() {
            _ = machine.arrived(
                PlayMachine.Arrival(.message, try Played.content([key: 1]), ticket: ticket), at: Int64(ticket))
        }
        let answers = try Played.sent(machine.timePassed(at: 100_000_000))
        #expect(answers == [.dictionary(["to": .string("b")]), .dictionary(["to": .string("a")])])
    }

    @Test("A value that the app made is passed on only when it has arrived, as the app made it")
    func sources() throws {
        let made = UUID().uuidString
        var tape = TapeBuilder(keeping: [])
        let call = tape.add("didReceiveMessageWithReply", ["q": 1], package: 1)
        tape.add("reply", ["loan": made], package: 1, cause: call)
        tape.add("didReceiveUserInfo", ["took": made], package: 2, after: 3)
        var machine = PlayMachine(Play(tape.tape()))
        _ = machine.changed(.reachable, at: 0)
        #expect(try Played.sent(machine.timePassed(at: 3_600_000_000)).count == 1)
        let fresh = UUID().uuidString
        let actions = machine.replied(try Played.content(["loan": fresh]), move: call, at: 3_700_000_000)
        #expect(actions == [])
        #expect(machine.deadline == 3_703_000_000)
        #expect(try Played.sent(machine.timePassed(at: 3_703_000_000)) == [.dictionary(["took": .string(fresh)])])
    }

    @Test("In a recording of both sides a message follows the deed that caused it")
    func origins() throws {
        var tape = TapeBuilder()
        tape.add("transferUserInfo", ["a": 1], package: 1)
        let write = tape.add("write", package: 1, cause: 2)
        let read = tape.add("read", package: 1, cause: write, side: "watch")
        let told = tape.add("didReceiveUserInfo", ["a": 1], package: 1, cause: read, side: "watch")
        let call = tape.add("transferUserInfo", ["b": 1], package: 2, cause: told, side: "watch")
        let sent = tape.add("write", package: 2, cause: call, side: "watch")
        let back = tape.add("read", package: 2, cause: sent)
        let end = tape.add("didReceiveUserInfo", ["b": 1], package: 2, cause: back)
        #expect(tape.tape().origins == [end: 2])
        let moves = Play(tape.tape()).moves.filter { $0.sequence == end }
        #expect(moves.map(\.moment) == [.after(deed: 2, delay: 6_000_000)])
    }

    @Test("The link goes down and comes up as recorded, except for what the app's own device did, and the end")
    func link() throws {
        var tape = TapeBuilder()
        tape.add("connected", package: 9)
        tape.add("disconnected", package: 9)
        tape.add("connected", package: 9)
        tape.add("reachabilityDidChange", words: "unreachable")
        tape.add("reachabilityDidChange", words: "reachable")
        tape.add("device", words: "link-down")
        tape.add("disconnected", package: 9)
        tape.add("device", words: "link-up")
        tape.add("connected", package: 9)
        tape.add("transferUserInfo", ["a": 1], package: 1)
        tape.add("disconnected", package: 9)
        var machine = PlayMachine(Play(tape.tape()))
        #expect(
            machine.timePassed(at: .max) == [
                .activate, .link(isUp: false), .link(isUp: true), .show(false), .show(true),
                .act(command: "device", words: ["link-down"]), .act(command: "device", words: ["link-up"]),
                .link(isUp: true),
            ])
    }

    @Test("The link goes down after what was lost with it, however late that comes, and comes up after that")
    func lost() throws {
        var tape = TapeBuilder()
        tape.add("connected", package: 9)
        tape.add("reachabilityDidChange", after: 0, words: "reachable")
        tape.add("sendMessage", ["m": 1], package: 1, wantsReply: true)
        tape.add("disconnected", package: 9, after: 0.01)
        tape.add("errorHandler", package: 1, error: 7007, after: 0)
        tape.add("connected", package: 9, after: 0.5)
        tape.add("transferUserInfo", ["a": 1], package: 2)
        var machine = PlayMachine(Play(tape.tape()))
        #expect(machine.timePassed(at: 1_000_000) == [.activate])
        _ = machine.changed(.reachable, at: 1_000_000)
        #expect(machine.timePassed(at: 2_600_000) == [], "the app has not sent yet")
        #expect(
            machine.arrived(PlayMachine.Arrival(.message, try Played.content(["m": 1]), ticket: 1), at: 2_700_000) == []
        )
        #expect(machine.timePassed(at: 2_710_000) == [.link(isUp: false), .link(isUp: true)])
        // Without it the link goes down five seconds late, and comes up at last.
        var other = PlayMachine(Play(tape.tape()))
        _ = other.timePassed(at: 1_000_000)
        _ = other.changed(.reachable, at: 1_000_000)
        #expect(other.timePassed(at: 7_009_999) == [])
        #expect(other.timePassed(at: 7_010_000) == [.link(isUp: false), .link(isUp: true)])
    }

    @Test("A first connection that takes longer puts off everything by as much")
    func lateConnection() throws {
        var tape = TapeBuilder()
        tape.add("connected", package: 9)
        tape.add("reachabilityDidChange", after: 0.1, words: "reachable")
        tape.add("didReceiveUserInfo", ["u": 1], package: 1, after: 4)
        tape.add("didReceiveMessage", ["m": 1], package: 2, after: 1)
        var machine = PlayMachine(Play(tape.tape()))
        #expect(machine.timePassed(at: 1_000_000) == [.activate])
        #expect(machine.deadline == 5_100_000)
        _ = machine.changed(.activated, at: 1_050_000)
        #expect(machine.changed(.reachable, at: 1_130_000) == [])
        #expect(machine.deadline == 5_130_000, "\(machine.deadline ?? -1)")
        // Later connections have their own times.
        _ = machine.changed(.activated, at: 2_000_000)
        _ = machine.changed(.reachable, at: 3_000_000)
        #expect(machine.deadline == 5_130_000, "\(machine.deadline ?? -1)")
    }

    @Test("Faults of the link are not repeated, as their effects are played; others are")
    func faultsOfTheLink() throws {
        var tape = TapeBuilder()
        tape.add("connected", package: 9)
        for words in ["drop in message times=1", "duplicate user-info at-app", "lose any for=5s", "delay reply by=2s"] {
            tape.add("faults", words: words)
        }
        let repeated = ["fail message with=notReachable", "disk full", "activation delay=2s", "clear"]
        for words in repeated { tape.add("faults", words: words) }
        let words = Play(tape.tape()).moves.compactMap { move -> String? in
            if case .act("faults", let words) = move.kind { words.joined(separator: " ") } else { nil }
        }
        #expect(words == repeated)
    }

    @Test("A message that names another kind and has other keys takes nobody's place")
    func otherKind() throws {
        var tape = TapeBuilder()
        tape.add("connected", package: 9)
        tape.add("sendMessage", ["identifier": "start", "content": ["at": 1]], package: 1)
        tape.add("sendMessage", ["identifier": "finish", "content": ["total": 1, "best": 2]], package: 2)
        func arriving(_ content: [String: Any]) throws -> [PlayMachine.Action] {
            var machine = PlayMachine(Play(tape.tape()))
            _ = machine.timePassed(at: 1_000_000)
            _ = machine.arrived(
                PlayMachine.Arrival(.message, try Played.content(["identifier": "start", "content": ["at": 1]])),
                at: 2_000_000)
            return machine.arrived(PlayMachine.Arrival(.message, try Played.content(content)), at: 3_000_000)
        }
        let unknown = [PlayMachine.Action.note("sendMessage is not in the cassette")]
        #expect(try arriving(["identifier": "note", "content": ["text": "x"]]) == unknown)
        #expect(try arriving(["identifier": "finished", "content": ["total": 1, "best": 2]]) == [], "renamed")
        #expect(try arriving(["identifier": "finish", "content": ["total": 1]]) == [], "a key is missing")
    }

    /// A machine that has three laps and their end in its cassette, and the laps behind it.
    private func afterThreeLaps(_ last: [String: Any]) throws -> PlayMachine {
        var tape = TapeBuilder()
        tape.add("connected", package: 9)
        for lap in 1...3 {
            tape.add("sendMessage", ["kind": "lap", "number": lap], package: lap, wantsReply: true)
            tape.add("replyHandler", ["rank": lap], package: lap, after: 0.5)
        }
        tape.add("sendMessage", last, package: 4, wantsReply: true)
        tape.add("replyHandler", ["medal": "gold"], package: 4, after: 0.5)
        var machine = PlayMachine(Play(tape.tape()))
        _ = machine.changed(.reachable, at: 0)
        _ = machine.timePassed(at: 1_000_000)
        for lap in 1...3 {
            let time = 10_000_000 * Int64(lap)
            _ = machine.arrived(try Played.message(["kind": "lap", "number": lap], ticket: lap), at: time)
            #expect(
                try Played.sent(machine.timePassed(at: time + 500_000)) == [.dictionary(["rank": .integer(Int64(lap))])]
            )
        }
        return machine
    }

    @Test(
        "One more message of a kind takes no other one's place, and is answered as the one that it is like",
        arguments: [["kind": "end"], ["total": 3]] as [[String: any Sendable]])
    func surplus(_ last: [String: any Sendable]) throws {
        var machine = try afterThreeLaps(last)
        #expect(
            try machine.arrived(Played.message(["kind": "lap", "number": 4], ticket: 4), at: 50_000_000)
                == [.note("sendMessage is not in the cassette; it is answered like event 7")])
        guard case .answer(ticket: 4, let data, _) = machine.timePassed(at: 50_500_000).first else {
            Issue.record("no answer")
            return
        }
        #expect(try PropertyListValue(binary: data) == .dictionary(["rank": .integer(3)]))
        #expect(!machine.isDone)
        _ = machine.arrived(try Played.message(last, ticket: 5), at: 60_000_000)
        guard case .answer(ticket: 5, let end, _) = machine.timePassed(at: 60_500_000).first else {
            Issue.record("the last message has no answer")
            return
        }
        #expect(try PropertyListValue(binary: end) == .dictionary(["medal": .string("gold")]))
        #expect(machine.isDone)
    }

    @Test(
        "A message that has changed takes the place of the recorded one that is left",
        arguments: [["kind": "finish"], ["kind": "end", "more": true], ["end": true]] as [[String: any Sendable]])
    func changed(_ last: [String: any Sendable]) throws {
        var machine = try afterThreeLaps(["kind": "end"])
        #expect(machine.arrived(try Played.message(last, ticket: 4), at: 50_000_000) == [])
        #expect(try Played.sent(machine.timePassed(at: 50_500_000)) == [.dictionary(["medal": .string("gold")])])
        #expect(machine.isDone)
    }

    @Test("Another number makes no other message")
    func numbers() throws {
        var machine = try afterThreeLaps(["kind": "lap", "number": 4])
        #expect(machine.arrived(try Played.message(["kind": "lap", "number": 2], ticket: 4), at: 50_000_000) == [])
        #expect(machine.timePassed(at: 50_500_000).count == 1)
        #expect(machine.isDone)
    }

    @Test("Of two messages that are alike each gets its own answer, also if both wait")
    func waitingTogether() throws {
        var machine = try afterThreeLaps(["kind": "end"])
        _ = machine.arrived(try Played.message(["kind": "lap", "number": 4], ticket: 4), at: 50_000_000)
        _ = machine.arrived(try Played.message(["kind": "lap", "number": 5], ticket: 5), at: 50_100_000)
        let tickets = machine.timePassed(at: 51_000_000).compactMap {
            if case .answer(let ticket, _, _) = $0 { ticket } else { nil }
        }
        #expect(tickets == [4, 5])
    }

    @Test("A message that is not in the cassette is noted")
    func unknown() throws {
        var machine = PlayMachine(Play(TapeBuilder().tape()))
        _ = machine.timePassed(at: 0)
        let actions = machine.arrived(PlayMachine.Arrival(.message, try Played.content(["x": 1])), at: 1)
        #expect(actions == [.note("sendMessage is not in the cassette")])
    }
}
