import Testing

@testable import CassetteReplay

@Suite("The watches of a tape")
struct TapeWatchesTests {
    /// A phone with two watches, numbered 8 and 9, that changes to the second one and back.
    private static func tape() -> TapeBuilder {
        var tape = TapeBuilder()
        tape.add("connected", package: 8)
        tape.add("reachabilityDidChange", words: "reachable")
        tape.add("connected", package: 9, after: 0.01)
        tape.add("didReceiveUserInfo", ["u": 1], package: 1)
        tape.add("transferUserInfo", ["late": 1], package: 2)
        turn(&tape, to: 9)
        tape.add("didReceiveMessageWithReply", ["m": 1], package: 3, wantsReply: true)
        tape.add("reply", ["r": 1], package: 3)
        tape.add("sendMessage", ["n": 1], package: 4, wantsReply: true)
        tape.add("replyHandler", ["s": 1], package: 4, after: 0.1)
        turn(&tape, to: 8)
        // It had waited for its watch.
        tape.add("write", package: 2)
        return tape
    }

    private static func turn(_ tape: inout TapeBuilder, to watch: Int, isThere: Bool = true) {
        tape.add("watches", words: "switch #\(watch)")
        tape.add("reachabilityDidChange", words: "unreachable")
        tape.add("didBecomeInactive")
        tape.add("didDeactivate")
        tape.add("activate")
        tape.add("activationDidComplete", words: "activated")
        if isThere { tape.add("reachabilityDidChange", words: "reachable") }
    }

    @Test("A message belongs to the watch that was worn, a transfer to the one that it was written to")
    func owners() throws {
        let tape = Self.tape().tape()
        #expect(tape.watches.numbers == [8, 9] && tape.watches.unexplained == nil, "\(tape.watches)")
        let owners = tape.events.filter { $0.package != nil && $0.role != .link }.map { event in
            "\(event.kind) \(tape.watchName(at: event.sequence) ?? "-")"
        }
        #expect(
            owners == [
                "didReceiveUserInfo watch", "transferUserInfo watch", "didReceiveMessageWithReply watch2",
                "reply watch2", "sendMessage watch2", "replyHandler watch2",
            ], "\(owners)")
        #expect(tape.part(of: 9).events.filter(\.role.isCall).map(\.kind) == ["sendMessage"])
        var single = TapeBuilder()
        single.add("connected", package: 8)
        #expect(single.tape().watchName(at: 2) == nil, "one watch needs no name")
    }

    @Test(
        "Each watch has its part: its own moves, and what people do to the phone while it is worn; the first one comes first"
    )
    func parts() {
        let tape = Self.tape().tape()
        func kinds(_ watch: Int) -> [String] {
            Play(tape, of: watch).moves.map { move in
                switch move.kind {
                case .activate: "activate"
                case .send(let channel, _, _, _): "send \(channel.rawValue)"
                case .answer: "answer"
                case .link(let isUp): "link \(isUp)"
                case .fault(let words): "fault \(words)"
                case .show(let isShown): "show \(isShown)"
                case .act(let command, let words): "\(command) \(words.joined(separator: " "))"
                }
            }
        }
        #expect(kinds(8) == ["send transferUserInfo", "watches switch #9", "activate"])
        #expect(kinds(9) == ["send sendMessage", "answer", "watches switch #8", "activate"])
        // The first one has connected 1 s after the activation, the second 0.01 s after the reachability of the first.
        let times = [8, 9].map { watch in Play(tape, of: watch).moves.first { $0.kind == .activate }?.moment }
        #expect(times == [.at(1_000_000), .at(2_010_000)], "\(times)")
        var close = TapeBuilder()
        close.add("connected", package: 8)
        close.add("connected", package: 9, after: 0)
        let later = Play(close.tape(), of: 9).moves.first { $0.kind == .activate }?.moment
        #expect(later == .at(1_100_000), "\(String(describing: later))")
    }

    @Test("A change of watches that no action explains is told; refused and needless ones change nothing")
    func unexplained() {
        var tape = TapeBuilder()
        tape.add("connected", package: 8)
        tape.add("connected", package: 9)
        tape.add("watches", words: "switch #8")
        tape.add("didReceiveUserInfo", ["u": 1], package: 1)
        tape.add("watches", words: "complication #9 on")
        #expect(tape.tape().watches.unexplained == nil)
        #expect(tape.tape().watchName(at: 5) == "watch", "it was worn already")
        tape.add("didBecomeInactive")
        let event = tape.add("didDeactivate")
        #expect(tape.tape().watches.unexplained == event)
    }

    @Test("Without an activated session nobody is asked, and a watch that is paired while none is worn is worn")
    func quietChanges() {
        var tape = TapeBuilder()
        tape.add("connected", package: 8)
        tape.add("connected", package: 9)
        tape.add("watches", words: "switch #9")
        tape.add("watchStateDidChange")
        let info = tape.add("didReceiveUserInfo", ["u": 1], package: 1)
        #expect(tape.tape().watchName(at: info) == "watch2")
        tape.add("watches", words: "unpair #9")
        tape.add("watches", words: "pair #8")
        let later = tape.add("didReceiveUserInfo", ["u": 2], package: 2)
        #expect(tape.tape().watchName(at: later) == "watch")
    }

    @Test(
        "A watch that never connects has its part, and no other watch its name; the phone's only watch comes back to its own"
    )
    func absent() {
        var tape = TapeBuilder()
        tape.add("connected", package: 8)
        tape.add("reachabilityDidChange", words: "reachable")
        tape.add("watches", words: "pair #5")
        Self.turn(&tape, to: 5, isThere: false)
        let away = tape.add("transferUserInfo", ["a": 1], package: 2)
        tape.add("watches", words: "switch #8")
        for kind in ["didBecomeInactive", "didDeactivate", "activate", "activationDidComplete"] { tape.add(kind) }
        tape.add("reachabilityDidChange", words: "reachable")
        let back = tape.add("transferUserInfo", ["b": 1], package: 3)
        let whole = tape.tape()
        #expect(whole.watches.unexplained == nil && whole.watches.numbers == [8] && whole.watches.known == [8, 5])
        let names = [away, back].map { whole.watchName(at: $0) }
        #expect(names == ["watch2", "watch"], "\(names)")
        let calls = Play(whole, of: 8).calls.map(\.sequence)
        #expect(calls == [back], "\(calls)")
        // It was switched away from: that is repeated, and the watch itself stayed where it was.
        let shown = Play(whole, of: 8).moves.filter { if case .show = $0.kind { true } else { false } }
        #expect(shown == [], "\(shown)")
    }

    @Test("A switch to a watch that is unpaired before it is done ends with the former one")
    func unpaired() {
        var tape = TapeBuilder()
        tape.add("connected", package: 8)
        tape.add("connected", package: 9)
        tape.add("watches", words: "switch #9")
        tape.add("didBecomeInactive")
        tape.add("watches", words: "unpair #9")
        tape.add("didDeactivate")
        let info = tape.add("didReceiveUserInfo", ["u": 1], package: 1)
        #expect(tape.tape().watches.unexplained == nil)
        #expect(tape.tape().watchName(at: info) == "watch")
    }

    /// Returns the needs of a watch's actions and of its activation, by their words.
    private static func needs(_ tape: AppTape, _ watch: Int) -> [String: [Move.Need]] {
        let moves = Play(tape, of: watch).moves.compactMap { move -> (String, [Move.Need])? in
            switch move.kind {
            case .activate: ("activate", move.needs)
            case .act(_, let words): (words.joined(separator: " "), move.needs)
            case .send, .answer, .link, .show, .fault: nil
            }
        }
        return Dictionary(uniqueKeysWithValues: moves)
    }

    @Test("A change of watches waits for the other watch, and for what the worn one was told and had sent before")
    func needs() {
        let tape = Self.tape().tape()
        let (first, second) = (Self.needs(tape, 8), Self.needs(tape, 9))
        #expect(first["activate"] == [], "\(first)")
        #expect(second["activate"] == [.known(8)], "\(second)")
        #expect(first["switch #9"] == [.known(9), .connected(9), .worn(8), .served, .order], "\(first)")
        // The answer was not written in the recording, so it need not have arrived.
        let message = tape.events.first { $0.kind == "sendMessage" }?.sequence ?? 0
        #expect(
            second["switch #8"] == [.known(8), .connected(8), .worn(9), .served, .order, .deed(message)], "\(second)")
        var answered = TapeBuilder()
        answered.add("connected", package: 8)
        answered.add("didReceiveMessageWithReply", ["m": 1], package: 3, wantsReply: true)
        let reply = answered.add("reply", ["r": 1], package: 3)
        answered.add("write", package: 3)
        answered.add("transferUserInfo", ["u": 1], package: 4)
        answered.add("write", package: 4)
        answered.add("watches", words: "pair #9")
        answered.add("watches", words: "switch #9")
        let found = Self.needs(answered.tape(), 8)
        #expect(found["pair #9"] == [.control], "\(found)")
        #expect(found["switch #9"] == [.known(9), .worn(8), .order, .deed(reply)], "\(found)")
    }

    /// A phone whose recording begins while it knows watches.
    private static func late(_ present: [(watch: Int, words: String)], _ state: String = "activated") -> TapeBuilder {
        var tape = TapeBuilder(begins: false)
        for (watch, words) in present { tape.add("present", package: watch, words: words) }
        tape.add("present", words: state)
        return tape
    }

    @Test("What the phone knows at the beginning says which watch is worn, whoever connects first")
    func present() {
        var tape = Self.late([(8, "paired installed active"), (9, "paired installed connected"), (7, "installed")])
        let before = tape.add("didReceiveUserInfo", ["u": 1], package: 1)
        tape.add("connected", package: 8)
        let whole = tape.tape()
        #expect(whole.watches.isBeginningKnown && whole.watches.unexplained == nil, "\(whole.watches)")
        #expect(whole.watches.numbers == [9, 8] && whole.watches.known == [9, 8], "\(whole.watches)")
        #expect(whole.watchName(at: before) == "watch2", "\(String(describing: whole.watchName(at: before)))")
        #expect(Self.needs(whole, 9) == ["activate": [.known(8)], "pair #8": [.control]], "\(Self.needs(whole, 9))")
        #expect(Self.needs(whole, 8) == ["activate": [.known(9), .known(8)]], "\(Self.needs(whole, 8))")
        #expect(!Self.tape().tape().watches.isBeginningKnown)
    }

    @Test("A watch to which the phone changes later is introduced to it, after the one that is worn")
    func introduced() {
        var tape = Self.late([(8, "paired installed active connected reachable"), (9, "paired installed")])
        Self.turn(&tape, to: 9, isThere: false)
        let whole = tape.tape()
        let moves = Play(whole, of: 8).moves.sorted { $0.sequence < $1.sequence }
        let acts = moves.compactMap { if case .act(_, let words) = $0.kind { (words, $0.needs) } else { nil } }
        #expect(acts.first?.0 == ["pair", "#9"] && acts.first?.1 == [.control, .known(8)], "\(acts)")
        #expect(acts.last?.0 == ["switch", "#9"] && acts.last?.1 == [.known(9), .worn(8), .served, .order], "\(acts)")
        // One that is never worn is none of the recording.
        let idle = Self.late([(8, "paired installed active connected reachable"), (9, "paired installed")]).tape()
        #expect(!idle.hasSeveralWatches && Self.needs(idle, 8) == ["activate": []], "\(Self.needs(idle, 8))")
    }

    @Test("A recording that begins during a change of watches has its end")
    func changing() {
        var tape = Self.late(
            [(8, "paired installed active connected"), (9, "paired installed next connected")], "inactive")
        tape.add("didDeactivate")
        let info = tape.add("didReceiveUserInfo", ["u": 1], package: 1)
        #expect(tape.tape().watches.unexplained == nil)
        #expect(tape.tape().watchName(at: info) == "watch2")
        // The watch to which it changed was unpaired.
        var undone = Self.late(
            [(8, "paired installed active connected"), (9, "installed connected")], "inactive")
        undone.add("didDeactivate")
        let kept = undone.add("didReceiveUserInfo", ["u": 1], package: 1)
        #expect(undone.tape().watches.unexplained == nil)
        #expect(undone.tape().watchName(at: kept) == "watch")
    }

    @Test("A worn watch that was out of reach at the beginning is it again, and comes back")
    func unreachable() {
        var tape = Self.late([(8, "paired installed active connected"), (9, "paired installed connected")])
        tape.add("reachabilityDidChange", words: "reachable")
        func shown(_ watch: Int) -> [Move.Kind] {
            Play(tape.tape(), of: watch).moves.map(\.kind).filter { if case .show = $0 { true } else { false } }
        }
        #expect(shown(8) == [.show(false), .show(true)], "\(shown(8))")
        #expect(shown(9) == [], "\(shown(9))")
    }
}
