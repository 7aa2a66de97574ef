import Cassettes
import Foundation
import KeyedArchive
import Testing

@testable import CassetteReplay

/// Contexts, of which only the latest one travels when a connection is made.
@Suite("Contexts that overtake one another")
struct ContextPlayTests {
    private static let player = UUID().uuidString

    /// Two contexts before the connection, one each minute afterwards, and messages that pass on a value of the first ones.
    private static func tape(isFirstSent: Bool) -> AppTape {
        var tape = TapeBuilder()
        tape.add("updateApplicationContext", ["player": player], package: 1, after: 0)
        tape.add("connected", package: 9, after: 1)
        if isFirstSent { tape.add("write", package: 1, after: 0) }
        tape.add("updateApplicationContext", ["player": player], package: 2, after: 0)
        tape.add("write", package: 2, after: 0)
        tape.add("didReceiveMessage", ["goal": player], package: 3, after: 30)
        for minute in 1...2 {
            tape.add("updateApplicationContext", ["player": player], package: 3 + minute, after: minute == 1 ? 30 : 60)
            tape.add("write", package: 3 + minute, after: 0)
        }
        tape.add("didReceiveUserInfo", ["last": 1], package: 6, after: 1)
        return tape.tape()
    }

    private static func arrival() throws -> PlayMachine.Arrival {
        PlayMachine.Arrival(.context, try Played.content(["player": player]))
    }

    @Test(
        "Whether the first one travels or not, recorded or replayed, what follows comes at its time and once",
        arguments: [
            (true, 1), (true, 2), (false, 1), (false, 2),
        ])
    func overtaken(_ isFirstSent: Bool, _ arrivals: Int) throws {
        var machine = PlayMachine(Play(Self.tape(isFirstSent: isFirstSent)))
        _ = machine.changed(.reachable, at: 0)
        #expect(machine.timePassed(at: 1_000_000) == [.activate])
        for _ in 1...arrivals { #expect(try machine.arrived(Self.arrival(), at: 1_000_100) == []) }
        let goal = try Played.sent(machine.timePassed(at: 31_000_100))
        #expect(goal == [.dictionary(["goal": .string(Self.player)])], "\(goal)")
        #expect(try machine.arrived(Self.arrival(), at: 61_000_000) == [])
        #expect(machine.deadline.map { $0 > 120_000_000 } ?? false, "\(machine.deadline ?? -1)")
        #expect(try machine.arrived(Self.arrival(), at: 121_000_000) == [])
        #expect(try Played.sent(machine.timePassed(at: 122_000_000)) == [.dictionary(["last": .integer(1)])])
        #expect(machine.isDone)
    }
}
