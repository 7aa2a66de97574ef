import Foundation
import Testing

@testable import VirtualTime

@Suite("Coverage")
struct CoverageTests {
    private typealias Pair = Coverage.Pair

    @Test("Only pairs that did not occur in an earlier world are new, however often one world repeats them")
    func growth() {
        var coverage = Coverage()
        #expect(coverage.add(sequence: ["a", "b", "a", "b"]) == 2)
        #expect(coverage.add(sequence: ["a", "b"]) == 0)
        #expect(coverage.add(sequence: ["b", "b"]) == 1)
        #expect(coverage.worlds == [Pair("a", "b"): 2, Pair("b", "a"): 1, Pair("b", "b"): 1])
        #expect(coverage.runs == 3)
    }

    @Test("A world with no step or a single step counts as a run, and has no pair")
    func short() {
        var coverage = Coverage()
        #expect(coverage.expectedNews == .infinity)
        #expect(coverage.description == "no world was run")
        #expect(coverage.add(sequence: []) == 0)
        #expect(coverage.add(sequence: ["a"]) == 0)
        #expect(coverage.runs == 2)
        #expect(coverage.expectedNews == 0)
    }

    @Test("The expected number of new pairs falls as worlds repeat each other")
    func expectation() {
        var coverage = Coverage()
        coverage.add(sequence: ["a", "b", "c"])
        #expect(coverage.expectedNews == 2)
        coverage.add(sequence: ["a", "b"])
        #expect(coverage.expectedNews == 0.5)
        coverage.add(sequence: ["b", "c"])
        #expect(coverage.expectedNews == 0)
        #expect(coverage.description == "2 pairs in 3 worlds; another hundred would bring about 0.0 new ones")
    }

    @Test("The coverage of two machines equals that of one, also after encoding and decoding")
    func united() throws {
        let sequences = [["a", "b", "c"], ["a", "b"], ["c", "c", "a"], [], ["b", "c"]]
        var (whole, first, second) = (Coverage(), Coverage(), Coverage())
        for (number, sequence) in sequences.enumerated() {
            whole.add(sequence: sequence)
            if number.isMultiple(of: 2) { first.add(sequence: sequence) } else { second.add(sequence: sequence) }
        }
        first.add(try JSONDecoder().decode(Coverage.self, from: JSONEncoder().encode(second)))
        #expect(first == whole)
        first.add(Coverage())
        #expect(first == whole)
        #expect(first.expectedNews == 0.4)
    }

    @Test(
        "Impossible coverage is rejected",
        arguments: [
            (#"{"runs":1,"dropped":0,"pairs":{"a":{"b":2}}}"#), (#"{"runs":1,"dropped":0,"pairs":{"a":{"b":0}}}"#),
            (#"{"runs":-1,"dropped":0,"pairs":{}}"#), (#"{"runs":1,"dropped":-1,"pairs":{}}"#),
            (#"{"runs":1,"dropped":0}"#),
        ])
    func damaged(_ text: String) {
        #expect(throws: DecodingError.self) { try JSONDecoder().decode(Coverage.self, from: Data(text.utf8)) }
    }

    @Test("The expected number of new pairs is close to the actual number")
    func estimate() {
        // Each world has 5 of 400 pairs.
        var generator = SplitMix(state: 3)
        var coverage = Coverage()
        func world() -> Set<Pair> {
            Set((0..<5).map { _ in Pair("state", "\(Int.random(in: 0..<400, using: &generator))") })
        }
        for _ in 0..<100 { coverage.add(world()) }
        let expected = coverage.expectedNews * 20
        let found = (0..<20).reduce(0) { sum, _ in sum + coverage.add(world()) }
        #expect(abs(Double(found) - expected) < 12, "expected \(expected), found \(found)")
    }
}
