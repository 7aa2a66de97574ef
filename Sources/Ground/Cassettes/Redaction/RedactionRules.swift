/// The rules for what a cassette may show: nothing but shapes, except values at listed key paths.
package struct RedactionRules: Equatable, Sendable {
    /// The key paths whose values stay as they are, such as `answers[].points`; ``everything`` for all values.
    package var kept: Set<String>

    /// The key path that stands for all: for data that tests have made up.
    package static let everything = "*"

    /// The warning to a person who wants to keep all values.
    package static let everythingWarning =
        "“\(everything)” keeps the values at all key paths: nothing is redacted, and such a cassette is as private as the data itself"

    /// The longest key that counts as a name. 40 bytes: longer than the names in code, shorter than most sentences.
    private static let longestName = 40
    /// The most digits in a row of a name. 3: telephone numbers and other numbers of people are longer.
    private static let mostDigits = 3
    /// The characters of names beside letters and digits. `<`, `>` and the comma occur in names of generic classes.
    private static let marks = Set("_.-$<>,".utf8)

    package init(keeping kept: some Sequence<String> = []) { self.kept = Set(kept) }

    /// Returns true if a value at a key path stays as it is.
    func keeps(_ path: String) -> Bool { kept.contains(path) || kept.contains(Self.everything) }

    /// Returns true for a text that is a name in code: a letter, `_` or `$`, and then letters, digits, and `_ . - $ < > ,`;
    /// at most 40 bytes, and at most three digits in a row. Other keys, such as people's names with a space or an address,
    /// are values.
    package func isName(_ text: String) -> Bool {
        let bytes = text.utf8
        guard let first = bytes.first, bytes.count <= Self.longestName else { return false }
        guard Self.isLetter(first) || first == UInt8(ascii: "_") || first == UInt8(ascii: "$") else { return false }
        var digits = 0
        for byte in bytes {
            if (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) {
                digits += 1
                guard digits <= Self.mostDigits else { return false }
            } else {
                guard Self.isLetter(byte) || Self.marks.contains(byte) else { return false }
                digits = 0
            }
        }
        return true
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
    }
}
