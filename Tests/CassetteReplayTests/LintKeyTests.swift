import Cassettes
import Foundation
import Testing

@testable import CassetteReplay

@Suite("The rules for keys")
struct LintKeyTests {
    private static func survey(
        _ messages: [[String: Any]], _ name: String = "a", build: String? = nil
    ) -> CassetteSurvey {
        var tape = TapeBuilder(keeping: [])
        for (number, message) in messages.enumerated() { tape.add("sendMessage", message, package: number + 1) }
        return tape.survey(name, build: build)
    }

    private static func findings(_ surveys: CassetteSurvey...) -> [LintFinding] {
        CassetteLint(surveys).findings.filter { $0.rule != .noVersionKey }
    }

    private static var book: [String: Any] { ["id": 1, "title": "Emma", "pages": 474] }
    private static var bare: [String: Any] { ["id": 1, "title": "Emma"] }

    @Test("A key that is always there in one recording and missing in another is told, wherever it is")
    func required() throws {
        let found = Self.findings(Self.survey([Self.book, Self.book]), Self.survey([Self.bare], "b"))
        #expect(found.map(\.name) == ["phone message pages required-key"], "\(found)")
        #expect(found.first?.cassette == "b" && found.first?.rule.level == .decodes, "\(found)")
        #expect(
            found.first?.text == "is missing here, and always there in a (first in event 2)", "\(found)")
        let nested = Self.findings(Self.survey([["b": Self.book]]), Self.survey([["b": Self.bare]], "b"))
        #expect(nested.map(\.name) == ["phone message b.pages required-key"], "\(nested)")
        let elements = Self.findings(Self.survey([["b": [Self.book]]]), Self.survey([["b": [Self.bare]]], "b"))
        #expect(elements.map(\.name) == ["phone message b[].pages required-key"], "\(elements)")
    }

    @Test("A key that is optional in one recording and required in another is told; not within one build")
    func optional() {
        let both = [Self.book, Self.bare]
        #expect(
            Self.findings(Self.survey(both), Self.survey([Self.book], "b")).map(\.name) == [
                "phone message pages required-key"
            ])
        #expect(Self.findings(Self.survey(both)) == [])
        #expect(Self.findings(Self.survey(both), Self.survey(both, "b")) == [])
        #expect(
            Self.findings(Self.survey(both, build: "1"), Self.survey([Self.book], "b", build: "1")) == [])
    }

    @Test(
        "Contents of one call are told apart by the key that says what they are, if it is shown",
        arguments: ["sendMessage", "transferUserInfo", "updateApplicationContext", "transferFile"])
    func kinds(_ call: String) {
        func survey(_ contents: [[String: Any]], _ name: String, keeping kept: [String] = ["kind"]) -> CassetteSurvey {
            var tape = TapeBuilder(keeping: kept)
            for (number, content) in contents.enumerated() { tape.add(call, content, package: number + 1) }
            return tape.survey(name)
        }
        let lap: [String: Any] = ["kind": "lap", "id": 1, "at": 2, "value": 3]
        let note: [String: Any] = ["kind": "note", "id": 1, "at": 2]
        let text: [String: Any] = ["kind": "text", "id": 1, "at": 2, "value": "x"]
        func names(_ first: [[String: Any]], _ second: [[String: Any]], keeping kept: [String] = ["kind"]) -> [String] {
            Self.findings(survey(first, "a", keeping: kept), survey(second, "b", keeping: kept)).filter {
                $0.rule == .requiredKey || $0.rule == .typeDiffers
            }.map { "\($0.path) \($0.rule.rawValue)" }
        }
        #expect(names([lap], [note]) == [], "a note has no value")
        #expect(names([lap], [text]) == [], "a text is no lap")
        var other = lap
        other["value"] = "3"
        #expect(names([lap, note], [other, text]) == ["value type-differs"])
        other["value"] = nil
        #expect(names([lap, text], [other, text]) == ["value required-key"])
        #expect(names([lap], [note], keeping: []) == ["value required-key"], "nothing says that they are two kinds")
    }

    @Test("What both devices of a run have recorded is counted once, at its sender")
    func bothSides() {
        func phone(_ count: Int) -> TapeBuilder {
            var tape = TapeBuilder(begins: false)
            for number in 1...count { tape.add("sendMessage", ["a": 1], package: number) }
            return tape
        }
        func watch(_ count: Int) -> TapeBuilder {
            var tape = TapeBuilder(begins: false)
            for number in 1...count { tape.add("didReceiveMessage", ["a": 1], package: number, side: "watch") }
            return tape
        }
        func texts(day: Double, received: Int = 3) -> [String] {
            let (sent, got) = (phone(3), watch(received))
            return CassetteLint([
                sent.survey("p", beside: [got.span("watch", day: day)]),
                got.survey("w", sides: ["watch"], day: day, beside: [sent.span("phone")]),
            ]).findings.map(\.text)
        }
        #expect(texts(day: 0) == ["no key says the version (3 contents)"], "\(texts(day: 0))")
        #expect(texts(day: 1) == ["no key says the version (6 contents)"], "another run: \(texts(day: 1))")
        let longer = texts(day: 0, received: 5)
        #expect(longer == ["no key says the version (3 contents)"], "the phone was not recorded any more: \(longer)")
    }

    @Test(
        "What arrives after the end of the sender's recording has no new values of the sender",
        arguments: [("phone", "watch"), ("watch", "phone")])
    func lastDelivery(sender: String, receiver: String) {
        let delay = 0.000_07
        var (sent, got) = (TapeBuilder(begins: false), TapeBuilder(begins: false))
        for (number, kind) in ["lap", "end", "lap"].enumerated() {
            sent.add("sendMessage", ["kind": kind, "version": 1], package: number, side: sender)
            got.add(
                "didReceiveMessage", ["kind": kind, "version": 1], package: number, after: number == 0 ? 1 + delay : 1,
                side: receiver)
        }
        // The recordings' order is that of their names, as they begin at one moment.
        let lint = CassetteLint([
            got.survey("receiver", sides: [receiver], build: "2", beside: [sent.span(sender)]),
            sent.survey("sender", sides: [sender], build: "1", beside: [got.span(receiver)]),
        ])
        #expect(lint.findings.map(\.name) == [])
        let kinds = lint.enumerations.filter { $0.path == "kind" }
        #expect(kinds.map(\.seen.count) == [3], "\(kinds)")
    }

    @Test("A key that is new in later recordings is a note; one that comes back is not new")
    func added() {
        let found = Self.findings(Self.survey([Self.bare, Self.bare]), Self.survey([Self.book], "b"))
        #expect(found.map(\.name) == ["phone message pages key-added"] && found.first?.rule.isNote == true, "\(found)")
        #expect(found.first?.cassette == "b" && found.first?.text == "is new here; a does not have it", "\(found)")
        // It is new in this content, whatever others have it.
        let other: [String: Any] = ["read": 1, "pages": 2]
        let more = Self.findings(Self.survey([Self.bare, other]), Self.survey([Self.book, other], "b"))
        #expect(more.map(\.name) == ["phone message pages key-added"], "\(more)")
        let back = Self.findings(
            Self.survey([Self.book]), Self.survey([Self.bare], "b"), Self.survey([Self.book], "c"))
        #expect(back.map(\.name) == ["phone message pages required-key"], "\(back)")
    }

    @Test("Messages of different meaning are not compared")
    func different() {
        let plan: [String: Any] = ["plan": "x", "goal": 5]
        #expect(Self.findings(Self.survey([Self.book]), Self.survey([plan], "b")) == [])
        #expect(Self.findings(Self.survey([Self.book]), Self.survey([["id": 1, "goal": 2]], "b")) == [])
    }

    @Test("A key with another name is told: as missing if it was always there, else as renamed")
    func renamed() {
        let name: [String: Any] = ["id": 1, "name": "Emma", "pages": 474]
        let always = Self.findings(Self.survey([Self.book]), Self.survey([name], "b"))
        #expect(always.map(\.name) == ["phone message title required-key"], "\(always)")
        #expect(always.contains { $0.text.hasSuffix("name is there in its place: was it renamed?") }, "\(always)")
        let longer = Self.findings(
            Self.survey([["pace": 1, "heart": [1]]]), Self.survey([["pace": 1, "hearts": [1]]], "b"))
        #expect(longer.map(\.name) == ["phone message heart required-key"], "\(longer)")
        #expect(Self.findings(Self.survey([["pace": 1, "x": 1]]), Self.survey([["pace": 1, "xs": 1]], "b")) == [])
        let untitled: [String: Any] = ["id": 1, "pages": 474]
        let atTimes = Self.findings(Self.survey([Self.book, untitled]), Self.survey([name, untitled], "b"))
        #expect(atTimes.contains { $0.name == "phone message title key-renamed" }, "\(atTimes)")
        #expect(atTimes.allSatisfy { $0.rule.level == .source }, "\(atTimes)")
    }

    @Test("A key without which the receiver never answers is required")
    func answers() throws {
        var tape = TapeBuilder(keeping: [])
        for number in 1...4 {
            let isWhole = number % 2 == 0
            tape.add("sendMessage", isWhole ? Self.book : Self.bare, package: number, wantsReply: true)
            if isWhole {
                tape.add("replyHandler", ["ok": true], package: number)
            } else if number == 1 {
                tape.add("errorHandler", package: number, error: 7_012)
            } else {
                tape.add("replyHandler", ["error": "no pages"], package: number)
            }
        }
        let found = try #require(CassetteLint([tape.survey()]).findings.first { $0.rule == .requiredKey })
        #expect(found.name == "phone message pages required-key" && found.count == 2, "\(found)")
        #expect(
            found.text
                == "with it, the receiver answered (2 of 2); without it, it never did (2)", "\(found)")
    }

    @Test("A name that is spelt in several ways is told once, at the rarest spelling")
    func spellings() {
        let found = Self.findings(
            Self.survey([["userID": 1], ["userID": 2], ["other": ["user_id": 1]]]), Self.survey([["userID": 1]], "b"))
        #expect(found.map(\.name) == ["phone message other.user_id key-spelling"], "\(found)")
        #expect(found.first?.text == "is spelt user_id, and userID in phone message", "\(found)")
        #expect(found.first?.rule.level == .source)
        #expect(Self.findings(Self.survey([["userID": 1, "x": [["userID": 2]]]])) == [])
        // A key with dots is one name.
        #expect(Self.findings(Self.survey([["com.example.user_id": 1, "userID": 2]])) == [])
        let dotted = Self.findings(Self.survey([["com.example.ID": 1, "x": 1], ["x": 2, "com_example_id": 2]]))
        #expect(dotted.contains { $0.rule == .keySpelling }, "\(dotted)")
    }

    @Test("Keys that are data have no spelling and no presence")
    func data() {
        let people: [String: Any] = ["Anna Berg": 1, "anna berg": 2, "id": 1, "Ben 4711": 3]
        #expect(Self.findings(Self.survey([people, ["id": 1]]), Self.survey([["id": 1]], "b")) == [])
    }

    @Test("Sets of keys at different places are not compared")
    func places() {
        let (first, second) = (KeyShape(path: "a", keys: ["x", "y", "z"]), KeyShape(path: "a", keys: ["x", "y"]))
        #expect(first.difference(from: second)?.missing == "z", "\(String(describing: first.difference(from: second)))")
        #expect(first.difference(from: KeyShape(path: "b", keys: ["x", "y"])) == nil)
    }

    @Test("A set of keys that lacks one and has several new ones is another content")
    func several() {
        let (first, second) = (
            KeyShape(path: "", keys: ["a", "b", "c", "d", "heart"]),
            KeyShape(path: "", keys: ["a", "b", "c", "d", "x", "y"])
        )
        #expect(first.difference(from: second) == nil)
    }

    @Test("A finding is told at its first event, whatever order its events are met in")
    func first() {
        var seen = Seen(7)
        seen.add(Seen(3, count: 2))
        #expect(seen == Seen(3, count: 3))
        seen.add(Seen(9))
        #expect(seen == Seen(3, count: 4))
    }
}
