import Testing

@testable import CassetteReplay

@Suite("The tape of a phone that serves several watches at the same time")
struct ServedWatchesTests {
    /// What a watch sends, the host's answer to it, and what the host sends to the watch.
    private struct Turn {
        let watch: Int
        let question: Int
        var answer = 1
        var told: Int?
    }

    /// A host with two watches, 1 and 2, each of which asks and is told something.
    private static func tape(_ turns: [Turn], isNamed: Bool = true) -> AppTape {
        var tape = TapeBuilder()
        for watch in [1, 2] {
            tape.add("connected", package: watch, after: 0.01)
            tape.add("reachabilityDidChange", of: isNamed ? watch : nil, after: 0.01, words: "reachable")
        }
        for (place, turn) in turns.enumerated() {
            let (watch, package) = (isNamed ? turn.watch : nil, 10 + 2 * place)
            let read = tape.add("read", package: package, of: watch, after: 0.01)
            let given = tape.add(
                "didReceiveMessageWithReply", ["q": turn.question], package: package, of: watch, cause: read,
                wantsReply: true, after: 0.01)
            tape.add("reply", ["a": turn.answer], package: package, cause: given, after: 0.01)
            if let told = turn.told {
                tape.add("transferUserInfo", ["told": told], package: package + 1, of: watch, after: 0.01)
            }
        }
        return tape.tape()
    }

    private static let turns = [
        Turn(watch: 1, question: 1, told: 1), Turn(watch: 2, question: 2, told: 2),
        Turn(watch: 1, question: 3, told: 3),
        Turn(watch: 2, question: 4, told: 4),
    ]

    private static func found(_ new: [Turn]) -> [String] {
        let (old, new) = (tape(turns), tape(new))
        return TapeComparison(old, new).deviations.map { deviation in
            let watch = deviation.recorded.map(old.watchName) ?? deviation.replayed.flatMap(new.watchName)
            return "\(watch ?? "-") \(deviation.name)"
        }
    }

    @Test("Each message is of the watch that the recording names, at whatever time it came")
    func owners() {
        let tape = Self.tape(Self.turns)
        #expect(tape.namesWatches && tape.hasSeveralWatches)
        let questions = tape.events.filter { $0.kind == "didReceiveMessageWithReply" || $0.kind == "reply" }
        let names = questions.map { tape.watchName(at: $0.sequence) ?? "-" }
        #expect(names == ["watch", "watch", "watch2", "watch2", "watch", "watch", "watch2", "watch2"], "\(names)")
        #expect(tape.watchName(at: 1) == nil, "the activation is of no watch")
        #expect(!Self.tape(Self.turns, isNamed: false).namesWatches)
    }

    @Test("Each watch has its part: what it sends, what it is sent, and its own reachability")
    func parts() {
        let tape = Self.tape(Self.turns)
        for watch in [1, 2] {
            let play = Play(tape, of: watch)
            let sent = play.moves.compactMap { move in
                if case .send = move.kind { tape.event(at: move.sequence).flatMap { tape.watch(of: $0) } } else { nil }
            }
            #expect(sent == [watch, watch], "\(sent)")
            #expect(play.calls.map(\.watch) == [watch, watch], "\(play.calls.map(\.watch))")
            let changes = tape.part(of: watch).events.filter { $0.kind == "reachabilityDidChange" }.map(\.watch)
            #expect(changes == [watch], "\(changes)")
        }
    }

    @Test("Which of the watches comes first is chance, the order of each is not")
    func order() {
        let turns = Self.turns
        #expect(Self.found([turns[1], turns[0], turns[3], turns[2]]) == [])
        #expect(Self.found([turns[1], turns[3], turns[0], turns[2]]) == [])
        var swapped = turns
        (swapped[1].told, swapped[3].told) = (4, 2)
        #expect(Self.found(swapped) == ["watch2 transferUserInfo order"], "\(Self.found(swapped))")
    }

    @Test("A difference is of the watch with which it shows, and what went to another watch is missing at its own")
    func differences() {
        var wrong = Self.turns
        wrong[3].answer = 7
        #expect(Self.found(wrong) == ["watch2 reply a value"], "\(Self.found(wrong))")
        var misled = Self.turns
        misled[0].told = nil
        misled.append(Turn(watch: 2, question: 4, told: 1))
        let found = Self.found(misled)
        #expect(found.contains("watch transferUserInfo missing"), "\(found)")
        #expect(found.contains("watch2 transferUserInfo extra"), "\(found)")
        let one = Self.turns[0]
        let more = Self.found(Self.turns + [Turn(watch: one.watch, question: one.question, told: 9)])
        #expect(more.contains("watch transferUserInfo extra"), "\(more)")
    }

    /// A host whose recording began while two of its three watches were connected.
    private static func late(begins: Bool = false) -> AppTape {
        var tape = TapeBuilder(begins: begins)
        if begins {
            for watch in [1, 2] { tape.add("connected", package: watch) }
        } else {
            // To a message that had come before.
            tape.add("reply", ["early": 1], package: 9)
        }
        for watch in [1, 2] {
            tape.add("read", package: 10 + watch, of: watch)
            tape.add("didReceiveMessageWithReply", ["q": watch], package: 10 + watch, of: watch, wantsReply: true)
            tape.add("reply", ["a": watch], package: 10 + watch)
        }
        tape.add("disconnected", package: 1)
        tape.add("connected", package: 1)
        tape.add("connected", package: 3)
        tape.add("didReceiveUserInfo", ["u": 1], package: 20, of: 1)
        return tape.tape()
    }

    @Test("A recording that begins while watches are connected has them from its beginning on")
    func late() {
        let tape = Self.late()
        #expect(!tape.begins && tape.watches.numbers == [1, 2, 3], "\(tape.watches.numbers)")
        func moves(_ watch: Int) -> [String] {
            Play(tape, of: watch).moves.compactMap { move in
                switch move.kind {
                case .activate: "activate \(move.moment)"
                case .link(let isUp): "link \(isUp)"
                default: nil
                }
            }
        }
        let parts = [1, 2, 3].map(moves)
        let expected = [
            ["activate at(0)", "link false", "link true"], ["activate at(100000)"], ["activate at(9000000)"],
        ]
        #expect(parts == expected, "\(parts)")
    }

    @Test("What came before the recording is missing nowhere, nor is the activation of a replay new")
    func lateComparison() {
        let comparison = TapeComparison(Self.late(), Self.late(begins: true))
        #expect(comparison.deviations == [], "\(comparison.deviations.map(\.text))")
        #expect(comparison.recorded == 2 && comparison.matched == 2)
    }

    @Test("An activation after a change of watches does not make a recording one from the start")
    func laterActivation() {
        func tape(begins: Bool, activations: Int = 1) -> AppTape {
            var tape = TapeBuilder(begins: begins)
            if begins { tape.add("connected", package: 8) }
            if !begins { tape.add("present", package: 8, words: "paired installed active connected reachable") }
            tape.add("didReceiveUserInfo", ["u": 1], package: 1)
            for _ in 0..<activations {
                tape.add("didDeactivate")
                tape.add("activate")
            }
            return tape.tape()
        }
        let recorded = tape(begins: false)
        #expect(!recorded.begins && tape(begins: true).begins)
        #expect(recorded.events.map(\.time).first == 0 && recorded.events.last?.time == 3_000_000)
        #expect(TapeComparison(recorded, tape(begins: true)).deviations == [])
        #expect(TapeComparison(recorded, recorded).deviations == [])
        let more = TapeComparison(recorded, tape(begins: true, activations: 2)).deviations.map(\.name)
        #expect(more == ["activate extra"], "\(more)")
        let fewer = TapeComparison(recorded, tape(begins: true, activations: 0)).deviations.map(\.name)
        #expect(fewer == ["activate missing"], "\(fewer)")
    }

    @Test("A watch that must come a little later than recorded sends nothing before that")
    func afterActivation() {
        var tape = TapeBuilder()
        for watch in [1, 2] { tape.add("connected", package: watch, after: 0.001) }
        tape.add("didReceiveUserInfo", ["u": 1], package: 20, of: 2, after: 0.001)
        tape.add("sendMessage", ["m": 1], package: 21, of: 2, after: 0.001)
        tape.add("didReceiveUserInfo", ["u": 2], package: 22, of: 2, after: 0.001)
        let moments = Play(tape.tape(), of: 2).moves.sorted { $0.sequence < $1.sequence }.map(\.moment)
        let expected: [Move.Moment] = [
            .at(101_000), .at(101_000), .likelyAfter(deed: 5, delay: 1_000, time: 101_000),
        ]
        #expect(moments == expected, "\(moments)")
    }
}
