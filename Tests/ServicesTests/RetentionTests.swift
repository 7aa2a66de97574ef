import Foundation
import RecordStorage
import TestSupport
import Testing

@testable import Services

@Suite("What is kept for how long")
struct RetentionTests {
    private static let day: TimeInterval = 86_400
    private static let now = Date(timeIntervalSince1970: 2_000_000_000)

    private let retention: Retention

    init() {
        var retention = Retention()
        retention.days = 30
        self.retention = retention
    }

    /// The plan for quizzes that arrived so many days ago, by a clock that is so many days ahead.
    private func plan(_ arrivals: [Double], clockAhead: Double = 0, isConfirmed: Bool = false) throws -> Retention.Plan
    {
        let times = arrivals.map { Self.now - $0 * Self.day }
        return try retention.plan(at: Self.now + clockAhead * Self.day, isConfirmed: isConfirmed) { limit in
            RecordAges(total: times.count, older: times.count { $0 < limit }, newest: times.max())
        }
    }

    private static let daily = (0..<31).map { Double($0) + 0.5 }

    @Test("What grew too old since the last run goes")
    func steady() throws {
        let month = try plan(Self.daily)
        #expect(month == Retention.Plan(oldest: Self.now - 30 * Self.day))
        let young = try plan([0, 1, 2])
        #expect(young == Retention.Plan())
        let empty = try plan([])
        #expect(empty == Retention.Plan())
        var unlimited = Retention()
        unlimited.count = 5
        let ageless = try unlimited.plan(at: Self.now, isConfirmed: false) { _ in
            RecordAges(total: 9, older: 9, newest: nil)
        }
        #expect(ageless == Retention.Plan())
    }

    @Test("A clock that jumps ahead removes nothing that it alone makes old", arguments: [2.0, 400])
    func jump(_ days: Double) throws {
        let plan = try plan(Self.daily.dropLast().map { $0 }, clockAhead: days)
        let removed = Self.daily.dropLast().count { Self.now - $0 * Self.day < plan.oldest ?? .distantPast }
        #expect(removed <= 1, "\(plan)")
        #expect(plan.heldBack >= Int(min(days, 30)) - 1)
    }

    @Test("Nor when a quiz arrives while the clock is ahead: many at once wait for a person")
    func jumpWithArrival() throws {
        let plan = try plan(Self.daily + [-400], clockAhead: 400)
        #expect(plan == Retention.Plan(heldBack: 31))
    }

    @Test("A tenth goes, one more does not; a person's word lets all of them go")
    func share() throws {
        let fresh = Array(repeating: 0.0, count: 90)
        let tenth = try plan(fresh + Array(repeating: 40, count: 10))
        #expect(tenth.oldest == Self.now - 30 * Self.day)
        let many = fresh + Array(repeating: 40, count: 11)
        let held = try plan(many)
        #expect(held == Retention.Plan(heldBack: 11))
        let confirmed = try plan(many, isConfirmed: true)
        #expect(confirmed == Retention.Plan(oldest: Self.now - 30 * Self.day))
    }
}

@Suite("The texts of arrays that come in pieces")
struct JSONArraySplitterTests {
    private func elements(_ text: String, pieces: Int) throws -> [String] {
        var splitter = JSONArraySplitter()
        var found: [String] = []
        let bytes = Array(text.utf8)
        for start in stride(from: 0, to: bytes.count, by: pieces) {
            try splitter.append(Data(bytes[start..<min(start + pieces, bytes.count)])) {
                found.append(String(decoding: $0, as: UTF8.self))
            }
        }
        try splitter.finish()
        return found
    }

    @Test("Elements are found whatever the pieces, and whatever strings hold", arguments: [1, 2, 7, 1_000])
    func pieces(_ pieces: Int) throws {
        let parts = [#"{"a": "],[\"\\"}"#, "[1,[2,3]]", #""x,y""#, "null", #"{"b": {"c": [{}]}}"#]
        let found = try elements(" [ " + parts.joined(separator: " ,\n") + "]\n ", pieces: pieces)
        #expect(found.map { $0.trimmingCharacters(in: .whitespaces) } == parts)
        let none = try elements("[]", pieces: pieces)
        #expect(none.isEmpty)
        let noneOnLines = try elements("[\n]\n", pieces: pieces)
        #expect(noneOnLines.isEmpty)
    }

    @Test(
        "What is no array is refused",
        arguments: ["", "{}", "[", "[1", "[1,", "[1,]", "[,1]", "[1]x", "[\"a", "[{]", "1"])
    func malformed(_ text: String) {
        #expect(throws: JSONArraySplitter.Malformed.self) { try elements(text, pieces: 3) }
    }

    @Test("An element without an end takes no more memory than the longest one")
    func endless() throws {
        var splitter = JSONArraySplitter()
        try splitter.append(Data("[\"".utf8)) { _ in }
        let piece = Data(repeating: 0x61, count: 256 * 1_024)
        #expect(throws: JSONArraySplitter.Malformed.self) {
            for _ in 0..<5 { try splitter.append(piece) { _ in } }
        }
    }
}
