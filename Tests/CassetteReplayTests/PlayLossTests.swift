import Cassettes
import Foundation
import KeyedArchive
import Testing

@testable import CassetteReplay

/// What a cassette shows of packages and of the link: what was lost in the recording is lost again, and nothing else is.
@Suite("The counterpart's part when the link fails")
struct PlayLossTests {
    @Test("A message that failed without a connection is not the one that arrives, and nothing follows from it")
    func unsent() throws {
        var tape = TapeBuilder()
        tape.add("connected", package: 9)
        tape.add("write", package: 8, words: "State Sent")
        tape.add("disconnected", package: 9)
        tape.add("sendMessage", ["m": 1], package: 1, wantsReply: true)
        tape.add("errorHandler", package: 1, error: 7007, after: 0)
        tape.add("connected", package: 9, after: 0.05)
        tape.add("didReceiveUserInfo", ["u": 1], package: 2, after: 0)
        tape.add("sendMessage", ["m": 2], package: 3, wantsReply: true)
        tape.add("write", package: 3, after: 0)
        tape.add("replyHandler", ["r": 3], package: 3, after: 0.5)
        let play = Play(tape.tape())
        #expect(play.departures.keys.sorted() == [9])
        let delivery = try #require(play.moves.first { if case .send = $0.kind { true } else { false } })
        #expect(delivery.moment == .at(4_050_000), "\(delivery.moment)")
        var machine = PlayMachine(play)
        _ = machine.changed(.reachable, at: 0)
        _ = machine.timePassed(at: 4_050_000)
        #expect(try machine.arrived(Played.message(["m": 5], ticket: 7), at: 6_000_000) == [])
        #expect(machine.isDone == false)
        guard case .answer(ticket: 7, _, _) = machine.timePassed(at: 6_500_000).first else {
            Issue.record("the message is taken for the one that failed")
            return
        }
        #expect(machine.isDone)
    }

    @Test("A message without a reply that was lost is lost again: its acknowledgement is, and no other one's")
    func unacknowledged() throws {
        var tape = TapeBuilder()
        tape.add("connected", package: 9)
        var positions: [Int] = []
        for (number, error) in [(1, nil), (2, 7012), (3, nil), (4, 7007), (5, 7012)] as [(Int, Int?)] {
            positions.append(tape.add("sendMessage", ["m": number], package: number, wantsReply: number == 5))
            if error != 7007 { tape.add("write", package: number, after: 0) }
            if let error { tape.add("errorHandler", package: number, error: error, after: 30) }
        }
        let play = Play(tape.tape())
        #expect(play.lost == [positions[1]], "\(play.lost.sorted()) of \(positions)")
        var machine = PlayMachine(play)
        _ = machine.changed(.reachable, at: 1_000_000)
        // The second time it is one more than recorded, and takes nobody's place.
        let lost = try [1, 2, 2, 3].map { number in
            let actions = machine.arrived(try Played.message(["m": number]), at: 2_000_000)
            return actions.contains(.loseAcknowledgement)
        }
        #expect(lost == [false, true, false, false])
    }

    /// Answers a message, and returns the contents of the answers that follow.
    private static func answers(
        _ machine: inout PlayMachine, to content: [String: Any], at time: Int64
    ) throws -> [PropertyListValue] {
        _ = machine.arrived(try Played.message(content, ticket: 1), at: time)
        return try Played.sent(machine.timePassed(at: time + 500_000))
    }

    @Test("A message that failed with the link is taken for itself if it arrives now, not for a later one of its kind")
    func failedOfTheSameMoment() throws {
        var tape = TapeBuilder()
        tape.add("connected", package: 9, after: 0)
        tape.add("write", package: 8, after: 0, words: "State Sent")
        tape.add("disconnected", package: 9, after: 10)
        tape.add("sendMessage", ["rest": 1], package: 1, wantsReply: true, after: 0.001)
        tape.add("errorHandler", package: 1, error: 7007, after: 0)
        tape.add("connected", package: 9, after: 20)
        tape.add("sendMessage", ["rest": 2], package: 2, wantsReply: true, after: 30)
        tape.add("write", package: 2, after: 0)
        tape.add("replyHandler", ["r": 2], package: 2, after: 0.5)
        var machine = Played.begun(tape)
        // The link goes down a moment later than it did.
        #expect(try Self.answers(&machine, to: ["rest": 7], at: 9_999_000) == [])
        #expect(machine.timePassed(at: 31_000_000) == [.link(isUp: true)])
        let answers = try Self.answers(&machine, to: ["rest": 8], at: 60_001_000)
        #expect(answers == [.dictionary(["r": .integer(2)])], "the first took the place of the second")
    }

    @Test(
        "A message that did not come before the link was lost is not expected after it",
        arguments: ["connected", "link"])
    func missed(_ up: String) throws {
        var tape = TapeBuilder()
        tape.add("connected", package: 9, after: 0)
        tape.add("write", package: 8, after: 0, words: "State Sent")
        tape.add("sendMessage", ["rest": 1], package: 1, wantsReply: true, after: 10)
        tape.add("write", package: 1, after: 0)
        if up == "link" { tape.add("link", after: 0.002, words: "link-down") }
        tape.add("disconnected", package: 9, after: 0.002)
        tape.add("errorHandler", package: 1, error: 7007, after: 0)
        if up == "link" { tape.add("link", after: 20, words: "link-up") }
        tape.add("connected", package: 9, after: 20)
        tape.add("sendMessage", ["rest": 2], package: 2, wantsReply: true, after: 30)
        tape.add("write", package: 2, after: 0)
        tape.add("replyHandler", ["r": 2], package: 2, after: 0.5)
        var machine = Played.begun(tape)
        _ = machine.timePassed(at: 50_000_000)
        let answers = try Self.answers(&machine, to: ["rest": 8], at: 70_001_000)
        #expect(answers == [.dictionary(["r": .integer(2)])], "it was taken for the one that was lost")
        // Later than recorded it is still known.
        #expect(machine.arrived(try Played.message(["rest": 9]), at: 71_000_000) == [])
    }

    @Test("An app that learned late of the new connection learns as late again; another delay is not repeated")
    func lateState() throws {
        var tape = TapeBuilder()
        tape.add("connected", package: 9, after: 0)
        tape.add("disconnected", package: 9, after: 10)
        tape.add("connected", package: 9, after: 20)
        tape.add("read", package: 2, after: 0, words: "State Sent")
        tape.add("fault", package: 2, after: 0.01, words: "delay in state by=9s")
        tape.add("read", package: 3, after: 20, words: "State Sent")
        tape.add("fault", package: 3, after: 0, words: "delay in state by=4s")
        tape.add("fault", package: 3, after: 0, words: "delay in message by=4s")
        tape.add("didReceiveUserInfo", ["u": 1], package: 1, after: 20)
        var machine = Played.begun(tape)
        #expect(machine.timePassed(at: 10_000_000) == [.link(isUp: false)])
        let words = ["delay", "in", "state", "by=9s", "times=1"]
        let actions = machine.timePassed(at: 30_000_000)
        #expect(actions == [.act(command: "faults", words: words), .link(isUp: true)], "\(actions)")
        let rest = machine.timePassed(at: 80_000_000)
        #expect(rest.count == 1, "\(rest)")
    }

    @Test("What the app sent after something had arrived, and before it was told, is not its cause")
    func arrivalBeforeDeed() throws {
        var tape = TapeBuilder()
        tape.add("connected", package: 9)
        tape.add("read", package: 1, after: 4)
        tape.add("transferUserInfo", ["u": 1], package: 2, after: 0.01)
        tape.add("write", package: 2, after: 0)
        tape.add("didReceiveContext", ["c": 1], package: 1, after: 0.01)
        let move = Play(tape.tape()).moves.first { if case .send = $0.kind { true } else { false } }
        #expect(move?.moment == .at(5_020_000), "\(move.map { "\($0.moment)" } ?? "none")")
    }

    @Test("A message that arrived just before the link went down is not lost with it")
    func arrivalBeforeLoss() throws {
        var tape = TapeBuilder()
        tape.add("connected", package: 9, after: 0)
        tape.add("read", package: 1, after: 1)
        tape.add("disconnected", package: 9, after: 0)
        tape.add("didReceiveMessageWithReply", ["m": 1], package: 1, wantsReply: true, after: 0)
        tape.add("reply", ["r": 1], package: 1, after: 0)
        tape.add("connected", package: 9, after: 0.001)
        tape.add("didReceiveUserInfo", ["u": 1], package: 2)
        var machine = Played.begun(tape)
        let actions = machine.timePassed(at: 1_000_000)
        #expect(actions.count == 1, "\(actions)")
        #expect(try Played.sent(actions) == [.dictionary(["m": .integer(1)])])
        #expect(machine.timePassed(at: 1_009_999) == [], "the link comes up before it has gone down")
        let link = machine.timePassed(at: 1_010_000)
        #expect(link == [.link(isUp: false), .link(isUp: true)], "\(link)")
    }

    @Test("An answer that arrived just before the link went down is not lost with it", arguments: [true, false])
    func answerBeforeLoss(_ hasPackages: Bool) throws {
        var tape = TapeBuilder()
        tape.add("connected", package: 9, after: 0)
        tape.add("sendMessage", ["m": 1], package: 1, wantsReply: true)
        if hasPackages { tape.add("write", package: 1, after: 0) }
        if hasPackages { tape.add("read", package: 1, after: 0.001) }
        tape.add("replyHandler", ["r": 1], package: 1, after: hasPackages ? 0 : 0.001)
        tape.add("disconnected", package: 9, after: 0)
        tape.add("didReceiveUserInfo", ["u": 1], package: 2, after: 60)
        var machine = Played.begun(tape)
        #expect(try machine.arrived(Played.message(["m": 1], ticket: 1), at: 1_000_000) == [])
        #expect(try Played.sent(machine.timePassed(at: 1_010_999)) == [.dictionary(["r": .integer(1)])])
        #expect(machine.timePassed(at: 1_011_000) == [.link(isUp: false)])
    }

    @Test("The link goes down as soon as the counterpart's device can be controlled, and comes up as much later")
    func earlyLoss() throws {
        var tape = TapeBuilder()
        tape.add("connected", package: 9, after: 0)
        tape.add("disconnected", package: 9, after: 0)
        tape.add("connected", package: 9, after: 18)
        tape.add("sendMessage", ["m": 1], package: 1)
        var machine = PlayMachine(Play(tape.tape()))
        #expect(machine.timePassed(at: 0) == [.activate])
        #expect(machine.changed(.activated, at: 300_000) == [.link(isUp: false)])
        #expect(machine.deadline == 18_300_000, "\(machine.deadline ?? -1)")
        #expect(machine.timePassed(at: 18_300_000) == [.link(isUp: true)])
    }

    @Test(
        "What follows from deeds of one moment is done in the recorded order, however close together the deeds come now"
    )
    func moment() throws {
        // In virtual time, and on a busy machine.
        for pause in [0.000_002, 0.004] { try moment(pause) }
    }

    private func moment(_ pause: Double) throws {
        var tape = TapeBuilder()
        tape.add("connected", package: 9, after: 0)
        for number in 1...3 {
            tape.add(
                "sendMessage", ["m": number], package: number, wantsReply: true, after: number == 1 ? 1 : pause)
        }
        for number in 1...3 { tape.add("replyHandler", ["r": number], package: number, after: number == 1 ? 0.5 : 0) }
        for order in [[1, 2, 3], [3, 1, 2]] {
            var machine = Played.begun(tape)
            for number in order {
                _ = machine.arrived(try Played.message(["m": number], ticket: number), at: 2_000_000)
            }
            let answers = try Played.sent(machine.timePassed(at: 2_600_000))
            #expect(answers == (1...3).map { .dictionary(["r": .integer($0)]) }, "\(pause) s apart: \(answers)")
        }
    }

    @Test("A message that the app sent just after the link had gone down may arrive in a replay")
    func tooLate() throws {
        func tape(_ pause: Double, isLost: Bool) -> AppTape {
            var tape = TapeBuilder()
            tape.add("connected", package: 9, after: 0)
            tape.add("write", package: 8, words: "State Sent")
            if isLost { tape.add("disconnected", package: 9) }
            tape.add("sendMessage", ["m": 1], package: 1, after: pause)
            if isLost { tape.add("errorHandler", package: 1, error: 7007) }
            tape.add("connected", package: 9, after: 60)
            tape.add("didReceiveUserInfo", ["u": 1], package: 2, after: 60)
            return tape.tape()
        }
        for (pause, found) in [(0.05, []), (0.2, ["outcome"])] as [(Double, [String])] {
            let names = TapeComparison(tape(pause, isLost: true), tape(pause, isLost: false)).deviations.map(
                \.kind.name)
            #expect(names == found, "\(pause) s after the loss")
        }
    }

    @Test("A loss of the link is played if the link came back, whatever else followed; that at the end is not")
    func lastLoss() throws {
        var tape = TapeBuilder()
        tape.add("connected", package: 9, after: 0)
        tape.add("didReceiveUserInfo", ["u": 1], package: 2)
        tape.add("disconnected", package: 9, after: 60)
        tape.add("connected", package: 9)
        tape.add("disconnected", package: 9, after: 60)
        let links = Play(tape.tape()).moves.filter { if case .link = $0.kind { true } else { false } }
        #expect(links.map(\.sequence) == [4, 5], "\(links)")
    }

    @Test(
        "A delivery that was doubled at the app is sent once, and doubled again",
        arguments: ["duplicate message at-app", "replay context"])
    func doubled(_ words: String) throws {
        var tape = TapeBuilder()
        tape.add("connected", package: 9, after: 0)
        tape.add("read", package: 1, after: 1)
        tape.add("didReceiveMessageWithReply", ["m": 1], package: 1, wantsReply: true, after: 0)
        tape.add("fault", package: 1, after: 0, words: words)
        tape.add("didReceiveMessageWithReply", ["m": 1], package: 1, wantsReply: true, after: 0)
        tape.add("reply", ["r": 1], package: 1, after: 0)
        tape.add("didReceiveMessageWithReply", ["m": 2], package: 2, wantsReply: true)
        var machine = Played.begun(tape)
        let actions = machine.timePassed(at: 1_000_000)
        #expect(
            actions.first == .act(command: "faults", words: words.split(separator: " ").map(String.init) + ["times=1"]),
            "\(actions)")
        #expect(try Played.sent(actions) == [.dictionary(["m": .integer(1)])])
        #expect(machine.replied(try Played.content(["r": 1]), move: 4, at: 1_000_001) == [])
        #expect(try Played.sent(machine.timePassed(at: 2_000_000)) == [.dictionary(["m": .integer(2)])])
        #expect(machine.deadline == nil)
    }
}
