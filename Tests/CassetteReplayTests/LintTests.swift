import Cassettes
import Foundation
import KeyedArchive
import Testing

@testable import CassetteReplay

@Suite("The rules for contents")
struct LintTests {
    /// A recording of the phone's app that sends messages, each answered.
    private static func sending(
        _ messages: [[String: Any]], kept: [String] = [RedactionRules.everything], kind: String = "sendMessage"
    ) -> TapeBuilder {
        var tape = TapeBuilder(keeping: kept)
        for (number, message) in messages.enumerated() { tape.add(kind, message, package: number + 1) }
        return tape
    }

    private static func names(_ surveys: [CassetteSurvey], versionKeys: Set<String> = []) -> [String] {
        CassetteLint(surveys, versionKeys: versionKeys).findings.map(\.name)
    }

    /// The findings but those for a version, which few of these contents have.
    private static func others(_ surveys: CassetteSurvey...) -> [String] {
        names(surveys).filter { !$0.hasSuffix("no-version-key") }
    }

    private static func archive(_ name: String, _ key: String = "title") throws -> Data {
        try PropertyListValue.dictionary([
            "$archiver": .string("NSKeyedArchiver"), "$version": .integer(100_000),
            "$top": .dictionary(["root": .uid(1)]),
            "$objects": .array([
                .string("$null"), .dictionary(["$class": .uid(2), key: .uid(3), "number": .integer(7)]),
                .dictionary(["$classname": .string(name), "$classes": .array([.string(name)])]), .string("Emma"),
            ]),
        ]).binaryData()
    }

    // MARK: - Nothing, and much

    @Test("An empty recording, one with one event and one with an empty content have no finding")
    func nothing() {
        #expect(CassetteLint([]).findings == [])
        #expect(Self.names([TapeBuilder().survey()]) == [])
        #expect(Self.names([Self.sending([[:]]).survey()]) == [])
        let only = CassetteSurvey(
            "none", CassetteManifest(sides: [], program: "", started: Date(), seed: 1, rules: RedactionRules()), [], [:]
        )
        #expect(Self.names([only, only]) == [])
    }

    @Test("In a recording of both apps, each content is counted once, at its sender")
    func bothSides() {
        var tape = TapeBuilder()
        tape.add("sendMessage", ["a": 1], package: 1)
        tape.add("didReceiveMessage", ["a": 1], package: 1, side: "watch")
        tape.add("transferUserInfo", ["b": 1], package: 2, side: "watch2")
        tape.add("didReceiveUserInfo", ["b": 1], package: 2)
        let found = CassetteLint([tape.survey(sides: ["phone", "watch", "watch2"])]).findings
        #expect(
            found.map(\.name) == ["phone message no-version-key", "watch user info no-version-key"], "\(found)")
        #expect(found.map(\.count) == [1, 1] && found.map(\.event) == [2, 4], "\(found)")
        // Either recording alone shows the same kinds.
        #expect(Self.names([tape.survey(sides: ["phone"])]) == found.map(\.name))
    }

    @Test("Events without what they should have do not stop a check")
    func broken() {
        var tape = TapeBuilder()
        tape.add("reply", ["a": 1])
        tape.add("replyHandler", ["a": "x"], package: 7)
        tape.add("unknown", ["a": 1], package: 7)
        tape.add("errorHandler", package: 8, error: 7_010)
        tape.add("didReceiveMessage", package: 9)
        #expect(
            Self.names([tape.survey()]) == [
                "phone message unsupported-type", "phone reply no-version-key", "watch reply no-version-key",
            ])
    }

    @Test("Key paths, sets of keys, values and classes beyond the limits are left out, and the rest is checked")
    func many() throws {
        var tape = TapeBuilder()
        for number in 0..<(CassetteLimits.paths / 10) {
            let content = Dictionary(uniqueKeysWithValues: (0..<20).map { ("k\(number % 900)x\($0)", number as Any) })
            tape.add("sendMessage", content, package: number)
        }
        let survey = tape.survey()
        let kinds = survey.kinds.values
        #expect(kinds.reduce(0) { $0 + $1.paths.count } == CassetteLimits.paths)
        #expect(kinds.allSatisfy { $0.shapes.count <= 256 })
        #expect(Self.names([survey, tape.survey("b")]) == ["phone message no-version-key"])
        var other = TapeBuilder()
        for number in 0..<200 {
            other.add(
                "transferUserInfo", ["x": try Self.archive("C\(number).D"), "type": "t\(number)"], package: number)
        }
        let lint = CassetteLint([other.survey()])
        #expect(lint.findings.count { $0.rule == .classQualified } == 64, "\(lint.findings.count)")
        #expect(lint.enumerations.map(\.path) == ["x.title"], "\(lint.enumerations)")
    }

    @Test("Every rule has a level, a cure and a summary; levels are ordered, and notes never count")
    func rules() {
        #expect(LintLevel.decodes > .meaning && LintLevel.meaning > .source)
        for rule in LintRule.allCases {
            #expect(!rule.cure.isEmpty && !rule.summary.isEmpty && rule.rawValue.contains("-"), "\(rule)")
        }
        let note = LintFinding(.classOneSided, LintKind(sender: "phone", .message), "x", in: "a", Seen(1), "")
        let judgement = LintJudgement([note], expecting: [], at: Date())
        #expect(LintLevel.allCases.allSatisfy { judgement.count(of: $0) == 0 })
    }

    // MARK: - Versions

    @Test(
        "The usual spellings of a version count, and other keys do not",
        arguments: [
            ("version", true), ("v", true), ("schemaVersion", true), ("API_VERSION", true), ("protocol", true),
            ("rev", true), ("formatversion", true), ("header.version", true), ("dataFormat", false),
            ("imageFormat", false), ("osVersion", false), ("value", false), ("answers[].version", false),
            ("a.b.version", false), ("conversion", false), ("x", false),
        ])
    func versions(_ path: String, _ isVersion: Bool) {
        #expect(KeyWords.isVersion(path, []) == isVersion, "\(path)")
        #expect(KeyWords.isVersion(path, [path]))
    }

    @Test("A kind without a version is told once, with the number of contents; another one and a named key are not")
    func noVersion() {
        let plain = Self.sending([["a": 1], ["a": 2], ["b": 1]]).survey()
        let found = CassetteLint([plain, Self.sending([["a": 3]]).survey("b")]).findings
        #expect(found.map(\.name) == ["phone message no-version-key"], "\(found)")
        #expect(found.first?.count == 4 && found.first?.event == 2 && found.first?.cassette == "a", "\(found)")
        #expect(Self.names([Self.sending([["a": 1, "version": 2]]).survey()]) == [])
        #expect(Self.names([plain], versionKeys: ["b"]) == [])
        var bytes = TapeBuilder()
        bytes.add("replyHandlerDropped", package: 1)
        #expect(Self.names([bytes.survey()]) == [])
    }

    // MARK: - Types

    @Test("Another type in another recording is told at the later one, whichever side recorded it")
    func types() throws {
        let old = Self.sending([["n": 1, "id": UUID().uuidString], ["n": 2, "id": "x"]])
        var new = TapeBuilder(keeping: [])
        new.add("didReceiveMessage", ["n": "1", "id": "y"], package: 1, side: "watch")
        let found = CassetteLint([new.survey("new", sides: ["watch"], day: 2), old.survey("old")]).findings
        let type = try #require(found.first)
        #expect(type.name == "phone message n type-differs" && type.rule.level == .decodes)
        #expect(type.cassette == "new" && type.event == 2, "\(type)")
        #expect(type.text == "is a string, and an integer in old", "\(type.text)")
        #expect(Self.others(old.survey(), old.survey("b")) == [])
    }

    @Test("A type that only some contents have, a whole number for another one and a document for data are told")
    func mixedTypes() throws {
        let old = Self.sending([["n": 1], ["n": 2]]).survey()
        #expect(
            Self.others(old, Self.sending([["n": 1], ["n": "x"]]).survey("b")) == ["phone message n type-differs"])
        #expect(Self.others(old, Self.sending([["n": 1.5]]).survey("b")) == ["phone message n type-differs"])
        let data = Self.sending([["n": Data([1, 2])]]).survey()
        #expect(
            Self.others(data, Self.sending([["n": Data("[1]".utf8)]]).survey("b")) == ["phone message n type-differs"])
        let json = Self.sending([["j": #"{"a":5}"#]]).survey()
        #expect(Self.others(json, Self.sending([["j": #"{"a":5.5}"#]]).survey("b")) == [])
        #expect(Self.others(json, Self.sending([["j": #"{"a":null}"#]]).survey("b")) == [])
    }

    @Test("Numbers of another magnitude, and those beyond 32 bits for a watch, are told")
    func magnitudes() {
        let seconds = Self.sending((1...3).map { ["pause": $0 * 5] }, kept: []).survey()
        let milliseconds = Self.sending((1...3).map { ["pause": $0 * 5_000] }, kept: []).survey("b")
        #expect(Self.others(seconds, milliseconds) == ["phone message pause magnitude-differs"])
        #expect(Self.others(seconds, Self.sending((1...3).map { ["pause": $0 * 50] }).survey("b")) == [])
        let wide = Self.sending([["at": 1_790_000_000_000]], kept: []).survey()
        #expect(Self.others(wide) == ["phone message at wide-integer"])
        #expect(Self.others(Self.sending([["at": 1_790_000_000_000.5]]).survey()) == [])
        #expect(Self.others(Self.sending([["at": Int(Int32.max)]]).survey()) == [])
    }

    // MARK: - Classes

    @Test("A class that differs, has a module in its name or is sent by one side only is told, the last as a note")
    func classes() throws {
        func survey(_ name: String, _ title: String = "a", kind: String = "sendMessage") throws -> CassetteSurvey {
            Self.sending([["run": try Self.archive(name)]], kind: kind).survey(title)
        }
        #expect(
            Self.others(try survey("Run"), try survey("Workout", "b")) == ["phone message run class-differs"])
        #expect(Self.others(try survey("Phone.Run")) == ["phone message run Phone.Run class-qualified"])
        #expect(Self.others(try survey("_TtC5Phone3Run")) == ["phone message run _TtC5Phone3Run class-qualified"])
        #expect(Self.others(try survey("Run")) == ["phone message run Run class-one-sided"])
        #expect(CassetteLint([try survey("Run")]).findings.last?.rule.isNote == true)
        let watch = try survey("Workout", "b", kind: "didReceiveMessage")
        #expect(Self.others(try survey("Run"), watch) == ["watch message run class-differs"])
        // Both know a class that both send.
        #expect(
            Self.others(try survey("Shared.Run"), try survey("Shared.Run", "b", kind: "didReceiveMessage")) == [])
    }

    @Test("A class whose messages are never answered cannot be decoded, if others are answered")
    func undecodable() throws {
        var tape = TapeBuilder()
        for (number, name) in ["Run", "Walk"].enumerated() {
            tape.add("sendMessage", ["x": try Self.archive(name), "n": number], package: number, wantsReply: true)
            if name == "Run" { tape.add("replyHandler", ["version": 1], package: number) }
            if name == "Walk" { tape.add("errorHandler", package: number, error: 7_012) }
        }
        let names = Self.others(tape.survey())
        #expect(names.contains("phone message x Walk class-undecodable"), "\(names)")
        tape.add("sendMessage", ["x": try Self.archive("Walk"), "n": 2], package: 2, wantsReply: true)
        tape.add("replyHandler", ["version": 1], package: 2)
        let answered = Self.others(tape.survey())
        #expect(!answered.contains("phone message x Walk class-undecodable"), "one was answered: \(answered)")
    }

    @Test("A reply to data is a kind of its own")
    func dataReplies() {
        var tape = TapeBuilder()
        tape.add("sendMessageData", ["a": 1], package: 1, wantsReply: true)
        tape.add("replyHandler", ["b": 1], package: 1)
        tape.add("sendMessage", ["a": 1], package: 2, wantsReply: true)
        tape.add("replyHandler", ["b": 1], package: 2)
        let kinds = tape.survey().kinds.keys.map(\.description).sorted()
        #expect(kinds == ["phone message", "phone message data", "watch data reply", "watch reply"])
    }

    @Test("Numbers beyond all bounds have no magnitude to compare")
    func hugeNumbers() {
        func survey(_ numbers: [Double], _ name: String) -> CassetteSurvey {
            var tape = TapeBuilder(keeping: [])
            for (number, value) in numbers.enumerated() { tape.add("sendMessage", ["x": value], package: number + 1) }
            return tape.survey(name)
        }
        let (small, huge) = ([Double](repeating: 3.5, count: 40), [Double](repeating: 1e300, count: 40))
        for pair in [(small, huge), (huge, small), (huge, huge)] {
            let found = CassetteLint([survey(pair.0, "a"), survey(pair.1, "b")]).findings.map(\.rule)
            #expect(!found.contains(.magnitudeDiffers), "\(found)")
        }
    }

    @Test("A reply without keys is an answer, one with an error is none")
    func emptyReplies() throws {
        func names(_ reply: [String: Any]) throws -> [String] {
            var tape = TapeBuilder()
            for (number, name) in ["Run", "Walk"].enumerated() {
                tape.add("sendMessage", ["x": try Self.archive(name), "n": number], package: number, wantsReply: true)
                tape.add("replyHandler", name == "Run" ? ["version": 1] : reply, package: number)
            }
            return Self.others(tape.survey())
        }
        let (empty, error) = (try names([:]), try names(["error": "what is that"]))
        #expect(!empty.contains("phone message x Walk class-undecodable"), "\(empty)")
        #expect(error.contains("phone message x Walk class-undecodable"), "\(error)")
    }
}
