import Testing

@testable import CassetteReplay

/// Messages of one moment, as those of tasks that race.
@Suite("Bursts of messages")
struct BurstTests {
    private static var contents: [String: [String: Any]] {
        [
            "set": ["kind": "set", "number": 1], "heart": ["kind": "heart", "rate": 100, "zone": 3],
            "rest": ["kind": "rest", "seconds": 30], "note": ["kind": "note", "text": "x"],
        ]
    }

    /// A tape with a burst of messages a minute.
    private static func tape(
        _ bursts: [[String]], keeping kept: [String] = [], apart seconds: Double = 0.000_5, drop: String? = nil
    ) -> AppTape {
        var tape = TapeBuilder(keeping: kept)
        var package = 0
        for burst in bursts {
            for (index, word) in burst.enumerated() {
                package += 1
                var content = contents[word] ?? [:]
                if let drop { content[drop] = nil }
                tape.add("sendMessage", content, package: package, after: index == 0 ? 60 : seconds)
            }
        }
        return tape.tape()
    }

    private static let recorded = [["set", "heart", "rest", "note"], ["note", "set", "heart", "rest"]]
    private static let rotated = [["note", "set", "heart", "rest"], ["rest", "note", "set", "heart"]]
    private static let mixed = [["heart", "note", "set", "rest"], ["rest", "heart", "note", "set"]]

    @Test(
        "Messages that have changed places within their moment are matched by what they are", arguments: [[], ["kind"]])
    func places(_ kept: [String]) {
        func names(_ old: [[String]], _ new: [[String]], _ others: [[[String]]] = []) -> [String] {
            TapeComparison(
                Self.tape(old, keeping: kept), Self.tape(new, keeping: kept),
                others: others.map { Self.tape($0, keeping: kept) }
            ).deviations.map(\.name)
        }
        for place in 0...1 {
            let (old, new) = ([Self.recorded[0]], [Self.rotated[place]])
            #expect(Set(names(old, new)) == ["sendMessage order"], "\(names(old, new))")
            #expect(names(old, new, [old, [Self.mixed[0]]]) == [], "another seed has the recorded order")
        }
        #expect(names(Self.recorded, Self.rotated) == [], "the recorded build has both orders")
    }

    @Test("One that is missing, and a key that is, are told among those that have changed places")
    func changes() {
        var fewer = Self.mixed
        fewer[1].removeAll { $0 == "note" }
        let missing = TapeComparison(Self.tape(Self.recorded), Self.tape(fewer)).deviations
        #expect(missing.filter { $0.kind != .order }.map(\.name) == ["sendMessage missing"], "\(missing.map(\.text))")
        // The second burst begins with the note.
        #expect(missing.first { $0.kind == .missing }?.recorded == 6, "\(missing)")
        let keys = TapeComparison(Self.tape(Self.recorded), Self.tape(Self.rotated, drop: "rate")).deviations
        #expect(
            keys.filter { $0.kind != .order }.map(\.name) == Array(repeating: "sendMessage rate key-missing", count: 2),
            "\(keys.map(\.text))")
    }

    @Test("Messages that are further apart are matched in their order")
    func apart() {
        let found = TapeComparison(
            Self.tape([["set", "heart"]], apart: 1), Self.tape([["heart", "set"]], apart: 1)
        ).deviations
        #expect(found.map(\.name) == ["sendMessage order"], "\(found.map(\.text))")
    }

    @Test("Messages with the same keys are told apart by the texts that the replay shows")
    func texts() {
        func tape(_ bursts: [[String]], keeping kept: [String]) -> AppTape {
            var tape = TapeBuilder(keeping: kept)
            for (number, word) in bursts.enumerated().flatMap({ burst in burst.element.map { (burst.offset, $0) } }) {
                tape.add(
                    "transferUserInfo", ["noted": word], package: tape.events.count,
                    after: word == bursts[number][0] ? 60 : 0.001)
            }
            return tape.tape()
        }
        let old = tape([["a", "b"], ["b", "a"]], keeping: ["noted"])
        let new = tape([["b", "a"], ["b", "a"]], keeping: ["noted"])
        let found = TapeComparison(old, new).deviations.map(\.text)
        #expect(found == [], "the recorded build has both: \(found)")
        let always = TapeComparison(tape([["a", "b"], ["a", "b"]], keeping: ["noted"]), new).deviations.map(\.name)
        #expect(Set(always) == ["transferUserInfo order"] && always.count == 2, "\(always)")
    }
}
