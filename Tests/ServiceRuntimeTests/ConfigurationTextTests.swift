import Foundation
import Testing

@testable import Configuration
@testable import ServiceRuntime

@Suite("Places in a configuration")
struct ConfigurationTextTests {
    typealias Place = ConfigurationText.Place

    @Test("Keys are found where they stand: bare, quoted, in lists, behind comments that look like keys")
    func places() throws {
        let text = try ConfigurationText(
            """
            // link: 1
            { /* heartbeat: 2
              */ link: { 'silence\\u0054imeout': 3, heartbeat: +.5e3 },
              "faults": [ { kind: "a: {" }, { kind: null } ], naïve: -Infinity, $x_1: 0xFF,
            }
            """)
        #expect(text.places["link"] == Place(line: 3, column: 6))
        #expect(text.places["link.silenceTimeout"] == Place(line: 3, column: 14))
        #expect(text.places["link.heartbeat"] == Place(line: 3, column: 40))
        #expect(text.places["faults[1].kind"] == Place(line: 4, column: 35))
        #expect(text.places["naïve"] != nil)
        #expect(text.places["$x_1"] != nil)
        #expect(text.places["heartbeat"] == nil)
        #expect(text.repetitions.isEmpty)
    }

    @Test("A key that its object has already is a repetition, however it is written; in another object it is none")
    func repetitions() throws {
        let text = try ConfigurationText("{ a: 1, b: { a: 2 },\n  '\\u0061': 3, b: {} }")
        #expect(
            text.repetitions == [
                .init(key: "a", place: Place(line: 2, column: 3), first: Place(line: 1, column: 3)),
                .init(key: "b", place: Place(line: 2, column: 16), first: Place(line: 1, column: 9)),
            ])
    }

    @Test(
        "What is not JSON5 has its line and column",
        arguments: [
            ("{ a: 1\n  b: 2 }", 2, 3, "expected “,” or “}”, not “b”"),
            ("{\n  a 1 }", 2, 5, "expected “:” after “a”, not “1”"),
            ("{ a: info }", 1, 6, "“info” is not a value; put strings in quotation marks"),
            ("{ a: 'b\n }", 1, 8, "the string from column 6 is not terminated"),
            ("{ a: \"b", 1, 6, "the string that begins here is not terminated"),
            ("{ a: [1, 2", 1, 11, "the list that begins on line 1 is not closed"),
            ("{ a: 1, ", 1, 9, "the object that begins on line 1 is not closed"),
            (#"{ a: 'b\u0000' }"#, 1, 9, #"“\u0000” is not a valid escape"#),
            (#"{ a: 'b\u' }"#, 1, 9, #"“\u” is not a valid escape"#),
            ("{ a: /* b", 1, 6, "the comment is not terminated"),
            ("{ a: / b }", 1, 6, "unexpected “/”; a comment begins with // or /*"),
            ("{ 1a: 2 }", 1, 5, "expected a key, not “:”"),
            ("{ : 2 }", 1, 3, "expected a key, not “:”"),
            ("{} {}", 1, 4, "unexpected “{” after the value"),
            ("", 1, 1, "expected a value, not the end of the file"),
            ("\n\n  ]", 3, 3, "expected a value, not “]”"),
            (String(repeating: "[", count: 100_000), 1, 34, "objects and lists are nested more than 32 deep"),
        ])
    func errors(_ text: String, _ line: Int, _ column: Int, _ reason: String) {
        do throws(ConfigurationText.SyntaxError) {
            _ = try ConfigurationText(text)
            Issue.record("“\(text.prefix(40))” was taken")
        } catch {
            #expect(error == .init(place: Place(line: line, column: column), reason: reason))
        }
    }

    @Test("What Foundation reads is read, and what is refused here Foundation refuses, too")
    func agrees() throws {
        let texts = [
            "{}", "[]", "1", "'a\\\nb'", "{a:1,}", "[1,]", "{'':1}", "-.5", "+Infinity", "NaN", "0x1f", "\u{FEFF}{}",
            "// only\n1", "{\"a\\\"b\": 1}",
            "{", "]", "[1 2]", "{a}", "tru", "{a:}", "'", "/",
        ]
        let decoder = JSONDecoder()
        decoder.allowsJSON5 = true
        for text in texts {
            let isTaken = (try? ConfigurationText(text)) != nil
            let isFoundations = (try? decoder.decode(JSONValue.self, from: Data(text.utf8))) != nil
            #expect(isTaken || !isFoundations, "“\(text)”")
        }
    }

    @Test("A key given twice is refused by file, line and column; left out, the next mistake is found")
    func twice() throws {
        let text = "{ link: { heartbeat: 1,\n    heartbeat: 2 } }"
        do {
            _ = try ConfigurationTests.file(text)
            Issue.record("it was taken")
        } catch let error as ConfigurationError {
            #expect(
                error.description.hasSuffix("test.json5:2:5: link.heartbeat: is given twice; first on line 1"))
        }
    }
}
