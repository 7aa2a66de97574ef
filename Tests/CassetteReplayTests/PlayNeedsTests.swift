import Cassettes
import Foundation
import KeyedArchive
import Testing

@testable import CassetteReplay

@Suite("What a counterpart's move waits for")
struct PlayNeedsTests {
    /// The first watch of a phone that changes to a second one after it has answered the first.
    private static func changing() -> (PlayMachine, change: PlayMachine.Action) {
        var tape = TapeBuilder()
        tape.add("connected", package: 8)
        tape.add("reachabilityDidChange", after: 0, words: "reachable")
        tape.add("connected", package: 9, after: 0)
        tape.add("didReceiveMessageWithReply", ["m": 1], package: 1, wantsReply: true)
        tape.add("reply", ["r": 1], package: 1)
        tape.add("write", package: 1, after: 0)
        tape.add("watches", words: "switch #9")
        tape.add("reachabilityDidChange", words: "unreachable")
        var machine = PlayMachine(Play(tape.tape(), of: 8))
        _ = machine.timePassed(at: 1_000_000)
        _ = machine.changed(.reachable, at: 1_000_000)
        _ = machine.timePassed(at: 2_000_000)
        return (machine, .act(command: "watches", words: ["switch", "#9"]))
    }

    private static func watches(_ known: Set<Int>, worn: Int, connected: Set<Int>? = nil) -> PlayMachine.Watches {
        var watches = PlayMachine.Watches()
        (watches.known, watches.connected, watches.worn) = (known, connected ?? known, worn)
        return watches
    }

    @Test(
        "A change of watches waits until the phone has both, and the app has answered; it is looked for anew each time")
    func waits() throws {
        var (machine, change) = Self.changing()
        #expect(machine.timePassed(at: 4_000_000) == [.look])
        #expect(machine.saw(nil, at: 4_001_000) == [], "without a word from the phone")
        #expect(machine.deadline == 4_021_000, "\(machine.deadline ?? -1)")
        #expect(machine.timePassed(at: 4_010_000) == [], "before the next look")
        #expect(machine.timePassed(at: 4_021_000) == [.look])
        #expect(machine.saw(Self.watches([8], worn: 8), at: 4_022_000) == [], "without the other watch")
        #expect(machine.saw(Self.watches([8, 9], worn: 8, connected: [8]), at: 4_030_000) == [], "not connected")
        #expect(machine.saw(Self.watches([8, 9], worn: 9), at: 4_040_000) == [], "not worn")
        #expect(machine.saw(Self.watches([8, 9], worn: 8), at: 4_050_000) == [], "not answered")
        let answer = try Played.content(["r": 1])
        #expect(machine.changed(.activated, at: 4_060_000) == [])
        #expect(machine.replied(answer, move: 5, at: 4_070_000) == [], "not served")
        #expect(machine.changed(.reachable, at: 4_080_000) == [change])
        #expect(machine.isDone)
    }

    @Test("What never comes is waited for only so long: the phone 30 s, an answer five")
    func patience() throws {
        var (machine, change) = Self.changing()
        #expect(machine.timePassed(at: 4_000_000) == [.look])
        #expect(machine.saw(Self.watches([8, 9], worn: 8), at: 4_000_000) == [])
        #expect(machine.deadline == 9_000_000 || machine.deadline == 4_020_000, "\(machine.deadline ?? -1)")
        #expect(machine.timePassed(at: 8_999_999) == [])
        #expect(machine.deadline == 9_000_000, "\(machine.deadline ?? -1)")
        #expect(machine.timePassed(at: 9_000_000) == [change])
        (machine, change) = Self.changing()
        _ = machine.timePassed(at: 4_000_000)
        #expect(machine.saw(nil, at: 33_000_000) == [])
        #expect(machine.deadline == 33_020_000, "\(machine.deadline ?? -1)")
        #expect(machine.timePassed(at: 34_000_000) == [change])
    }

    @Test("What came before a move that waits does not wait with it, what follows does, and comes as much later")
    func passing() throws {
        var tape = TapeBuilder()
        tape.add("connected", package: 8)
        tape.add("connected", package: 9, after: 0)
        tape.add("sendMessage", ["m": 1], package: 1, wantsReply: true)
        tape.add("replyHandler", ["r": 1], package: 1, after: 0.5)
        tape.add("watches", after: 0.5, words: "switch #9")
        tape.add("didReceiveUserInfo", ["u": 1], package: 3)
        tape.add("write", package: 3)
        var machine = PlayMachine(Play(tape.tape(), of: 8))
        _ = machine.timePassed(at: 1_000_000)
        _ = machine.changed(.reachable, at: 1_000_000)
        #expect(machine.timePassed(at: 3_000_000) == [.look])
        #expect(machine.saw(Self.watches([8, 9], worn: 8), at: 3_000_000) == [], "the message has not come")
        // It comes later than the change.
        let message = PlayMachine.Arrival(.message, try Played.content(["m": 1]), ticket: 7)
        #expect(machine.arrived(message, at: 3_400_000) == [], "it is not answered yet")
        #expect(machine.deadline == 3_900_000, "\(machine.deadline ?? -1)")
        let actions = machine.timePassed(at: 3_900_000)
        #expect(try Played.sent(actions) == [.dictionary(["r": .integer(1)])], "\(actions)")
        #expect(actions.last == .act(command: "watches", words: ["switch", "#9"]), "\(actions)")
        #expect(machine.deadline == 4_900_000, "\(machine.deadline ?? -1)")
    }
}
