import Testing
import Words

@testable import ServiceRuntime

@Suite("Words as a shell divides them")
struct ShellTextTests {
    @Test(
        "Words are divided at spaces that are not quoted",
        arguments: [
            ("", []), (" \t\n ", []), ("a", ["a"]), ("  a  b\tc\n", ["a", "b", "c"]),
            ("'a b' c", ["a b", "c"]), ("\"a b\" c", ["a b", "c"]), ("a' 'b", ["a b"]), ("a\\ b", ["a b"]),
            ("''", [""]), ("a '' \"\"", ["a", "", ""]), ("'a\\b\"c'", ["a\\b\"c"]), ("\"a'b\"", ["a'b"]),
            ("\"a\\\"b\\\\c\\d\"", ["a\"b\\c\\d"]), ("\\'a", ["'a"]),
            ("$HOME *.swift | ;", ["$HOME", "*.swift", "|", ";"]),
            ("“a b”", ["“a", "b”"]), ("é 👨‍👩‍👧", ["é", "👨‍👩‍👧"]),
        ])
    func words(_ line: String, _ words: [String]) throws {
        let divided = try ShellText.words(line)
        #expect(divided == words, "\(line)")
    }

    @Test(
        "A line that ends within a quotation is refused with what is missing", arguments: ["'a", "\"a", "a\\", "\"a\\"])
    func unfinished(_ line: String) {
        let error = #expect(throws: ShellText.Unfinished.self) { try ShellText.words(line) }
        let isMark = error?.missing.contains("quotation mark \(line.first ?? " ")") == true
        #expect(isMark != line.hasSuffix("\\"), "\(line): \(String(describing: error))")
    }

    @Test("What is quoted comes back as it was")
    func back() throws {
        let words = ["", " ", "a", "it's", "\"", "\\", "a\tb\nc", "$HOME", "--x=é y", "'", "a'b\"c\\d"]
        let divided = try ShellText.words(words.map(ShellText.quoted).joined(separator: " "))
        #expect(divided == words)
    }
}
