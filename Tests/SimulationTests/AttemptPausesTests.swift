import LinkProtocol
import Testing

@testable import Simulation

@Suite("The pauses of a companion, as the simulation reckons them")
struct AttemptPausesTests {
    private static func at(_ seconds: Double) -> MonotonicTime { MonotonicTime(nanoseconds: Int64(seconds * 1e9)) }

    @Test("A first attempt is due at once")
    func first() {
        var pauses = AttemptPauses()
        #expect(pauses.deadline(at: Self.at(10)) == Self.at(11))
        let began = pauses.began(at: Self.at(10))
        #expect(began)
    }

    @Test("The pause doubles with each failed round, and an attempt is too early before half of it")
    func failures() {
        for (rounds, longest) in [(1, 0.5), (2, 1), (3, 2), (7, 30), (20, 30)] {
            var pauses = AttemptPauses()
            for _ in 1...rounds {
                pauses.failed()
                pauses.roundEnded(at: Self.at(100))
            }
            #expect(pauses.deadline(at: Self.at(100)) == Self.at(100 + longest + 1), "after \(rounds) rounds")
            var early = pauses
            let answers = [
                early.began(at: Self.at(100 + longest * 0.49)), pauses.began(at: Self.at(100 + longest * 0.5)),
                // The pause is over.
                pauses.began(at: Self.at(100)),
            ]
            #expect(answers == [false, true, true], "after \(rounds) rounds")
        }
    }

    @Test("A success, a phone that can be reached again and a session that begins anew end what failed before")
    func ends() {
        var pauses = AttemptPauses()
        pauses.failed()
        pauses.roundEnded(at: Self.at(100))
        pauses.reached()
        #expect(pauses.deadline(at: Self.at(100)) == Self.at(101), "reached")
        for _ in 1...3 {
            pauses.failed()
            pauses.succeeded()
            pauses.roundEnded(at: Self.at(200))
        }
        #expect(pauses.deadline(at: Self.at(200)) == Self.at(201.5), "after a success in each round")
        var restarted = AttemptPauses()
        restarted.failed()
        restarted.restarted()
        restarted.roundEnded(at: Self.at(300))
        let began = restarted.began(at: Self.at(300))
        #expect(began, "begun anew")
    }
}
