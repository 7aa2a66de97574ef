import Cassettes
import Foundation
import Testing

@testable import CassetteReplay

/// What differs from run to run of one build is no difference between two builds.
@Suite("Chance in the comparison of two courses")
struct ChanceTests {
    /// A tape with a beat and a summary at each of some moments; true for the beat first.
    private static func timers(_ beatsFirst: [Bool], apart seconds: Double = 0.000_05) -> AppTape {
        var tape = TapeBuilder()
        for (index, isBeatFirst) in beatsFirst.enumerated() {
            let beat: [String: Any] = ["kind": "beat", "rate": 60 + index]
            let summary: [String: Any] = ["kind": "summary", "total": 7_000 + index]
            tape.add("sendMessage", isBeatFirst ? beat : summary, package: 2 * index + 1, after: 60)
            tape.add("sendMessage", isBeatFirst ? summary : beat, package: 2 * index + 2, after: seconds)
        }
        return tape.tape()
    }

    @Test("An order that a build has now one way and now the other is chance; one that has changed each time is not")
    func orders() {
        func names(_ old: [Bool], _ new: [Bool], apart seconds: Double = 0.000_05, others: [[Bool]] = []) -> [String] {
            TapeComparison(
                Self.timers(old, apart: seconds), Self.timers(new, apart: seconds),
                others: others.map { Self.timers($0, apart: seconds) }
            ).deviations.map(\.name)
        }
        #expect(names([true, true, true], [true, false, true]) == [], "the new build has both")
        #expect(names([true, false, true], [false, false, false]) == [], "the old build had both")
        #expect(names([true, true], [false, false]) == ["sendMessage order", "sendMessage order"])
        #expect(
            names([true, true], [false, false], others: [[false, true]]) == [], "another seed has the former one")
        #expect(names([true, true], [false, false], others: [[false, false]]).count == 2)
        #expect(names([true, true], [true, false], apart: 0.5) == ["sendMessage order"], "not the same moment")
    }

    @Test("What a build does after the end of the recording is not too much, and takes no recorded deed's place")
    func afterTheEnd() {
        func tape(_ times: [Double], beats: Bool = true, closing: Double? = nil) -> AppTape {
            var tape = TapeBuilder()
            tape.add("connected", package: 9, after: 0)
            var last = 0.0
            if beats { tape.add("sendMessage", ["hello": 1, "name": "a"], package: 99, after: 0) }
            for (index, time) in times.enumerated() {
                tape.add("sendMessage", ["beat": index], package: index + 1, after: time - last)
                last = time
            }
            if let closing { tape.add("disconnected", package: 9, after: closing - last) }
            if closing != nil { tape.add("transferUserInfo", ["late": 1], package: 98, after: 0) }
            return tape.tape()
        }
        func names(_ old: AppTape, _ new: AppTape) -> [String] {
            TapeComparison(old, new, until: old.end).deviations.map(\.name)
        }
        #expect(names(tape([60, 120]), tape([60, 120, 180])) == [])
        #expect(names(tape([60, 120], closing: 180), tape([60, 120, 180])) == [], "it is due when the link goes down")
        #expect(names(tape([60, 120], closing: 180), tape([60, 120, 150])) == ["sendMessage extra"])
        #expect(names(tape([60, 120, 170], closing: 180), tape([60, 120])) == ["sendMessage missing"])
        let missing = names(tape([60, 120]), tape([60, 120, 180], beats: false))
        #expect(missing == ["sendMessage missing"], "\(missing)")
    }

    @Test("A lost acknowledgement is no difference, nor what the app did because of it")
    func lostAcknowledgement() {
        func tape(_ isLost: Bool, wantsReply: Bool = false) -> AppTape {
            var tape = TapeBuilder()
            tape.add("sendMessage", ["a": 1], package: 1, wantsReply: wantsReply)
            if isLost {
                let told = tape.add("errorHandler", package: 1, error: 7012, after: 30)
                tape.add("transferUserInfo", ["a": 1], package: 2, cause: told, after: 0)
            }
            tape.add("sendMessage", ["b": 1], package: 3, after: 60)
            return tape.tape()
        }
        let found = TapeComparison(tape(true), tape(false)).deviations
        #expect(found == [], "\(found.map(\.text))")
        #expect(TapeComparison(tape(false), tape(true)).deviations.map(\.name).contains("transferUserInfo extra"))
        #expect(!TapeComparison(tape(true, wantsReply: true), tape(false, wantsReply: true)).deviations.isEmpty)
    }

    @Test("The first difference comes first, also one that only the replay has")
    func sorting() {
        func tape(_ isEarly: Bool, _ last: [String: Any]) -> AppTape {
            var tape = TapeBuilder()
            if isEarly { tape.add("transferUserInfo", ["x": 1], package: 1) }
            tape.add("sendMessage", last, package: 2, after: 60)
            return tape.tape()
        }
        let found = TapeComparison(tape(false, ["a": 1]), tape(true, ["b": 1])).deviations.map(\.name)
        #expect(found.first == "transferUserInfo extra", "\(found)")
    }
}
