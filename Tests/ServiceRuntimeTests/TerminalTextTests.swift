import Configuration
import Foundation
import ServiceRuntime
import Testing
import Words

@Suite("What others wrote, on a terminal")
struct TerminalTextTests {
    /// Escape, a C1 control, the direction of writing, ends of lines and paragraphs, a mark of order, a tag, a noncharacter.
    private static let harmful = [
        "\u{1B}", "\u{7}", "\u{9B}", "\u{202E}", "\u{2066}", "\u{200E}", "\u{61C}", "\u{2028}", "\u{2029}", "\u{FEFF}",
        "\u{E0041}", "\u{FFFF}", "\n", "\r", "\u{7F}", "\u{AD}",
    ]

    @Test("Whatever changes what is seen of others is shown by its number", arguments: harmful)
    func shown(_ character: String) throws {
        let text = TerminalText.printable("a\(character)b")
        let number = String(try #require(character.unicodeScalars.first).value, radix: 16)
        #expect(text == "a\\u{\(number)}b")
        #expect(TextTable.text([["a\(character)b", "c"]]) == "a\\u{\(number)}b  c")
    }

    @Test(
        "Words of all languages and emoji stay as they are",
        arguments: ["Ernährung 🥗", "👩‍👩‍👧", "می‌خواهم", "日本語", "שלום", "e\u{301}"])
    func kept(_ text: String) { #expect(TerminalText.printable(text) == text) }

    @Test("JSON says the same in ASCII, and is read back as it was", arguments: harmful)
    func json(_ character: String) throws {
        let value = JSONValue.object(["a\(character)": .string("x\(character)y")])
        for pretty in [false, true] {
            let text = try value.text(pretty: pretty)
            #expect(!text.unicodeScalars.contains { TerminalText.isUnseen($0) && $0 != "\n" }, "\(text)")
            let decoded = try JSONDecoder().decode(JSONValue.self, from: Data(text.utf8))
            #expect(decoded == value)
        }
    }
}
