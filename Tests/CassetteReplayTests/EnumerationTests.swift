import Configuration
import Foundation
import Testing

@testable import CassetteReplay
@testable import Cassettes

@Suite("Enumerations in recordings")
struct EnumerationTests {
    private static func sending(_ messages: [[String: Any]], keeping kept: [String] = ["*"]) -> TapeBuilder {
        var tape = TapeBuilder(keeping: kept)
        for (number, message) in messages.enumerated() { tape.add("sendMessage", message, package: number + 1) }
        return tape
    }

    private static func enumerations(_ messages: [[String: Any]], keeping kept: [String] = ["*"]) -> [Enumeration] {
        CassetteLint([sending(messages, keeping: kept).survey()]).enumerations
    }

    @Test("Few values that are repeated are an enumeration, shown or hidden", arguments: [["*"], []])
    func found(_ kept: [String]) {
        let texts = (0..<12).map { ["sport": ["run", "walk", "swim"][$0 % 3], "note": "note number \($0)"] }
        #expect(Self.enumerations(texts, keeping: kept).map(\.path) == ["sport"])
        let numbers = (0..<12).map { ["sport": $0 % 3, "points": $0] }
        #expect(Self.enumerations(numbers, keeping: kept).map(\.path) == ["sport"])
        #expect(Self.enumerations([["kind": "novel"], ["kind": "poem"]], keeping: kept).map(\.path) == ["kind"])
        let lists = (0..<6).map { _ in ["tags": ["old", "new"]] }
        #expect(Self.enumerations(lists, keeping: kept).map(\.path) == ["tags[]"])
    }

    @Test("A key that a user names has an enumeration, however seldom a value was seen", arguments: ["mark", "a.mark"])
    func named(_ key: String) {
        let survey = Self.sending([["a": ["mark": 3]], ["a": ["mark": 4], "b": ["mark": "sentence of words"]]]).survey()
        #expect(CassetteLint([survey]).enumerations == [])
        let found = CassetteLint([survey], enumerationKeys: [key]).enumerations
        #expect(found.map(\.path) == ["a.mark"], "\(found)")
        #expect(found.first?.unseen == "integer=5")
    }

    @Test("Other values are none: long texts, sentences, identifiers, large numbers, measures, truth values, dates")
    func others() {
        let text = String(repeating: "x", count: 100)
        for value in [text, "a whole sentence", UUID().uuidString, 100_000, 2.5, true, Date(), -3] as [Any] {
            let messages = (0..<9).map { _ in ["x": value] }
            #expect(Self.enumerations(messages) == [], "\(value)")
            // A hidden sentence can be as short as a name.
            if value as? String != "a whole sentence" { #expect(Self.enumerations(messages, keeping: []) == []) }
        }
        #expect(Self.enumerations((0..<40).map { ["x": "v\($0)"] }) == [])
        #expect(Self.enumerations((0..<80).map { ["kind": "v\($0)x"] }) == [])
    }

    @Test("Values at the limits: numbers below 256, hidden texts of up to 48 bytes, 32 cases")
    func limits() {
        func isFound(_ values: [Any], keeping kept: [String] = ["*"]) -> Bool {
            !Self.enumerations(values.map { ["kind": $0] }, keeping: kept).isEmpty
        }
        #expect(isFound([0, 255]) && !isFound([0, 256]), "numbers that are shown")
        #expect(isFound([0, 255], keeping: []) && !isFound([0, 256], keeping: []), "numbers that are hidden")
        let texts = [48, 49].map { String(repeating: "x", count: $0) }
        #expect(isFound([texts[0]], keeping: []) && !isFound([texts[1]], keeping: []), "texts that are hidden")
        let names = (0..<33).map { "name\($0 / 10)-\($0 % 10)" }
        #expect(isFound(Array(names.prefix(32))) && !isFound(names), "32 and 33 cases")
    }

    @Test("The unseen value is a new text, or the next number")
    func unseen() throws {
        let text = try #require(Self.enumerations([["kind": "a"], ["kind": "watchlink-unseen"]]).first)
        #expect(text.unseen == "string=watchlink-unseen-2")
        let number = try #require(Self.enumerations((0..<9).map { ["kind": $0 % 3] }).first)
        #expect(number.unseen == "integer=3")
        let hidden = try #require(Self.enumerations((0..<9).map { ["kind": $0 % 3] }, keeping: []).first)
        #expect(hidden.unseen == "integer=256")
        #expect(hidden.untested.text.contains("3 hidden values"), "\(hidden.untested.text)")
    }

    @Test("A value that earlier recordings lack is told, unless the build is the same or the values are hidden")
    func newValues() throws {
        func survey(_ kinds: [String], _ name: String, build: String? = nil, kept: [String] = ["*"]) -> CassetteSurvey {
            Self.sending(kinds.map { ["kind": $0, "version": 1] }, keeping: kept)
                .survey(name, build: build, day: name == "a" ? 0 : 1)
        }
        let old = survey(["a", "b"], "a", build: "1")
        let found = CassetteLint([survey(["a", "c", "d"], "b", build: "2"), old]).findings
        #expect(found.map(\.name) == ["phone message kind new-raw-value"], "\(found)")
        #expect(found.first?.text == "has the new values “c”, “d”, which a lacks", "\(found)")
        #expect(found.first?.cassette == "b" && found.first?.event == 3 && found.first?.rule.level == .meaning)
        #expect(CassetteLint([old, survey(["c"], "b", build: "1")]).findings == [])
        #expect(CassetteLint([old, survey(["c"], "b", kept: [])]).findings == [])
        #expect(CassetteLint([old, survey(["a"], "b")]).findings == [])
    }

    // MARK: - Another value

    @Test("Another value is put at its key path, in documents and lists, too, and nowhere else")
    func change() throws {
        func applied(_ path: String, _ text: String) throws -> String? {
            let json = try JSONDecoder().decode(JSONValue.self, from: Data(text.utf8))
            let content = try #require(RedactedValue(json))
            return PlayChange(event: 1, path: path, leaf: "string=x").applied(to: content)?.text
        }
        #expect(try applied("a", #"{"a":"s","b":"s"}"#) == #"{"a":"string=x","b":"s"}"#)
        #expect(
            try applied("a.b", #"{"a":{"~json":{"b":"s","c":"s"}}}"#) == #"{"a":{"~json":{"b":"string=x","c":"s"}}}"#)
        #expect(
            try applied("l[].k", #"{"l":[{"z":"s"},{"k":"s"},{"k":"s"}]}"#)
                == #"{"l":[{"z":"s"},{"k":"string=x"},{"k":"s"}]}"#)
        #expect(try applied("a.b", #"{"a.b":"s"}"#) == #"{"a.b":"string=x"}"#)
        #expect(
            try applied("r", #"{"~archive":{"r":"s","~class":"string=R"}}"#)
                == #"{"~archive":{"r":"string=x","~class":"string=R"}}"#)
        for path in ["b", "a.b", "a[]", "", "~class"] { #expect(try applied(path, #"{"a":"s"}"#) == nil, "\(path)") }
    }

    @Test("A changed part differs in one move only")
    func changedPlay() throws {
        var tape = TapeBuilder()
        let first = tape.add("didReceiveMessageWithReply", ["kind": "a"], package: 1, wantsReply: true)
        tape.add("didReceiveUserInfo", ["kind": "a"], package: 2)
        let play = Play(tape.tape())
        let changed = play.changed(PlayChange(event: first, path: "kind", leaf: "string=b"))
        let different = zip(play.moves, changed.moves).filter { $0 != $1 }
        #expect(different.map(\.0.sequence) == [first], "\(different)")
        #expect(play.changed(PlayChange(event: 99, path: "kind", leaf: "string=b")).moves == play.moves)
        #expect(play.changed(PlayChange(event: first, path: "none", leaf: "string=b")).moves == play.moves)
    }

    // MARK: - Trials

    /// The phone's app, which gets three questions and answers some.
    private static func asked(_ answered: Set<Int>, values: [String] = ["a", "a", "a"]) -> TapeBuilder {
        var tape = TapeBuilder()
        for (number, value) in values.enumerated() {
            let told = tape.add(
                "didReceiveMessageWithReply", ["kind": value], package: number + 1, wantsReply: true)
            if answered.contains(number) { tape.add("reply", ["ok": true], package: number + 1, cause: told) }
        }
        return tape
    }

    @Test("A failure, an answer that is missing and an end of all work are findings; the same course is none")
    func trials() throws {
        let recorded = Self.asked([1, 2])
        let enumeration = try #require(CassetteLint([recorded.survey()]).enumerations.first)
        #expect(enumeration.kind == LintKind(sender: "watch", .message))
        let trial = try #require(UnseenTrial(enumeration, recorded.tape(), in: "a"))
        // The first one that was answered.
        #expect(trial.change == PlayChange(event: 3, path: "kind", leaf: "string=watchlink-unseen"))
        let usual = recorded.tape()
        let values = ["a", "watchlink-unseen", "a"]
        func found(_ answered: Set<Int>, _ failure: String? = nil) -> String? {
            trial.finding("it", usual: usual, course: Self.asked(answered, values: values).tape(), failure: failure)?
                .name
        }
        #expect(found([1, 2]) == nil)
        #expect(found([2]) == "watch message kind unseen-unanswered")
        #expect(found([1, 2], "ended by signal 4") == "watch message kind unseen-crash")
        #expect(trial.finding("it", usual: usual, course: nil, failure: nil) == nil)
        // A build that answers less than recorded, with and without the value, is no worse for it.
        #expect(
            trial.finding(
                "it", usual: Self.asked([2]).tape(), course: Self.asked([2], values: values).tape(), failure: nil)
                == nil)
    }

    @Test("An app that does nothing more after it has got the value is told, with no reply awaited, too")
    func stops() throws {
        func tape(_ value: String, _ isAlive: Bool) -> TapeBuilder {
            var tape = TapeBuilder()
            tape.add("didReceiveContext", ["mode": value], package: 1)
            if isAlive { tape.add("transferUserInfo", ["n": 1], package: 2) }
            return tape
        }
        let recorded = tape("day", true)
        let enumeration = try #require(CassetteLint([recorded.survey()]).enumerations.first)
        let trial = try #require(UnseenTrial(enumeration, recorded.tape(), in: "a"))
        func found(_ isAlive: Bool) -> LintFinding? {
            trial.finding(
                "it", usual: recorded.tape(), course: tape("watchlink-unseen", isAlive).tape(), failure: nil)
        }
        #expect(found(true) == nil)
        #expect(found(false)?.text == "it did nothing more when it had got “watchlink-unseen”, which it does not know")
    }

    @Test("An app that is not given the enumeration has no trial")
    func noTrial() throws {
        let recorded = Self.sending([["kind": "a"]])
        let enumeration = try #require(CassetteLint([recorded.survey()]).enumerations.first)
        #expect(UnseenTrial(enumeration, recorded.tape(), in: "a") == nil)
    }

    @Test("A build that fails with made-up values is told at the last event that it got")
    func madeUp() throws {
        let recorded = Self.asked([0, 1, 2])
        var course = TapeBuilder()
        course.add("didReceiveMessageWithReply", ["kind": "x"], package: 1)
        course.add("didReceiveMessageWithReply", ["kind": "x"], package: 2)
        let hidden = Self.enumerations([["kind": "a"]], keeping: [])
        let found = MadeUpTrial.finding(
            "it", failure: "ended by signal 4", hidden, recorded.tape(), in: "a", course: course.tape())
        #expect(found.event == 4 && found.name == "watch message made-up-crash", "\(found)")
        #expect(found.text.hasSuffix("they may be those of phone message kind"), "\(found.text)")
        let none = MadeUpTrial.finding("it", failure: "x", [], TapeBuilder().tape(), in: "a", course: nil)
        #expect(none.event == 1, "\(none)")
    }

    // MARK: - Expectations

    @Test("An expected finding does not count until its day has passed, and one that was not seen is told")
    func expected() throws {
        let file = try ConfigurationFile(
            content: #"""
                { changes: [
                  { change: "phone message no-version-key", reason: "old", until: "2030-01-31" },
                  { change: "phone message x type-differs", reason: "old", until: "2030-01-31" },
                ] }
                """#, of: "expected-lint.json5")
        let expected = try ExpectedChange.all(file)
        let findings = CassetteLint([Self.sending([["a": 1]]).survey()]).findings
        let now = LintJudgement(findings, expecting: expected, at: Date(timeIntervalSince1970: 0))
        #expect(now.count(of: .meaning) == 0 && now.unseen.map(\.change) == ["phone message x type-differs"])
        let later = LintJudgement(findings, expecting: expected, at: Date(timeIntervalSince1970: 2e9))
        #expect(later.count(of: .meaning) == 1 && later.findings.first?.expectation.isExpired == true)
        #expect(later.findings.first?.counts(from: .decodes) == false)
    }
}
