import Testing

@testable import CassetteReplay

@Suite("The place at which a failed program left its course")
struct FailurePlaceTests {
    private static let second: Int64 = 1_000_000

    /// A message each ten seconds, by itself, and an answered question between the second and the third.
    private static func course(until seconds: Double = .infinity, delay: Double = 0) -> AppTape {
        var tape = TapeBuilder()
        var time = 0.0
        func add(_ kind: String, _ content: [String: Any], _ package: Int, cause: Int? = nil, at due: Double) -> Int {
            guard due <= seconds else { return 0 }
            defer { time = due }
            return tape.add(kind, content, package: package, cause: cause, after: due - time)
        }
        _ = add("transferUserInfo", ["n": 1], 1, at: 10 + delay)
        _ = add("transferUserInfo", ["n": 2], 2, at: 20 + delay)
        let question = add("didReceiveMessageWithReply", ["q": 1], 3, at: 25 + delay)
        _ = add("reply", ["a": 1], 3, cause: question, at: 25.001 + delay)
        _ = add("updateApplicationContext", ["c": 1], 4, cause: question, at: 25.002 + delay)
        _ = add("transferUserInfo", ["n": 3], 5, at: 30 + delay)
        return tape.tape()
    }

    private static func place(
        _ replayed: AppTape, given: Int?, arrived: Set<Int> = [], written: Int64
    ) -> FailurePlace {
        let comparison = TapeComparison(course(), replayed)
        return FailurePlace(
            in: course(), given: given, arrived: arrived, comparison, replayed, written: written)
    }

    @Test("It is the first deed that was not done, not the last event that was given, which can be much later")
    func first() {
        let place = Self.place(Self.course(until: 15), given: 4, written: 29 * Self.second)
        #expect(place.event == 3, "the second message is missing")
        #expect(place.given?.kind == "didReceiveMessageWithReply" && place.lost == 4)
    }

    @Test("What may have been done just before the end, but not recorded, is not said to be missing")
    func last() {
        // The program ended at 25 s, in the question, with all that it had not written.
        let place = Self.place(Self.course(until: 15), given: 4, written: 19 * Self.second)
        #expect(place.event == 5, "the question's answer is missing")
    }

    @Test("What the counterpart has got was done, although the program has not recorded it")
    func arrived() {
        let place = Self.place(Self.course(until: 15), given: 4, arrived: [3, 5], written: 19 * Self.second)
        #expect(place.event == 6 && place.lost == 2, "\(place)")
    }

    @Test("A course that began late is late to its end")
    func late() {
        let place = Self.place(Self.course(until: 18, delay: 3), given: 4, written: 21 * Self.second)
        #expect(place.event == 5, "the second message was due at 23 s: \(place)")
        let missing = Self.place(Self.course(until: 18, delay: 3), given: 4, written: 24 * Self.second)
        #expect(missing.event == 3, "\(missing)")
    }

    @Test("If nothing is missing, it is the last event that was given")
    func nothingMissing() {
        let place = Self.place(Self.course(), given: 4, written: .max)
        #expect(place.event == 4 && place.lost == 0, "\(place)")
    }

    @Test("A counterpart's line tells what it has brought about, or got, and when")
    func lines() {
        let lines = ["played event 4 at 25", "got event 5 at 26", "played event 7 at 31", "counterpart: a note"]
        #expect(PlayedEvent("got event 5 at 26") == PlayedEvent(.got, event: 5, time: 26))
        #expect(lines.compactMap { PlayedEvent($0)?.line } == Array(lines.dropLast()))
        #expect(PlayedEvent.last(in: lines, until: 30) == 4 && PlayedEvent.last(in: lines, until: nil) == 7)
        #expect(PlayedEvent.deeds(in: lines) == [5])
    }
}
