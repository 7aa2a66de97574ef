/// Quoting and splitting of command lines, as a shell does it.
package enum ShellText {
    package static func quoted(_ word: String) -> String {
        let plain = word.unicodeScalars.allSatisfy { scalar in
            scalar.isASCII
                && (scalar.properties.isAlphabetic || ("0"..."9").contains(scalar)
                    || "/._-=:,+@%".unicodeScalars.contains(scalar))
        }
        return plain && !word.isEmpty ? word : "'" + word.replacing("'", with: "'\\''") + "'"
    }

    /// The error of a command line that ends inside a quotation.
    package struct Unfinished: Error, Equatable, Sendable, CustomStringConvertible {
        /// The missing part: a quotation mark, or any character after a backslash.
        package let missing: String

        package var description: String { "\(missing) is missing at the end" }
    }

    /// Splits a command line into words as a shell does: at spaces, except inside '…' and "…" or after a backslash.
    /// There are no variables, patterns or pipes.
    package static func words(_ line: String) throws(Unfinished) -> [String] {
        var words: [String] = []
        var word: String?
        var quotation: Character?
        var rest = line.makeIterator()
        while let character = rest.next() {
            switch (quotation, character) {
            case (nil, " "), (nil, "\t"), (nil, "\n"):
                if let word { words.append(word) }
                word = nil
            case (nil, "'"), (nil, "\""):
                (quotation, word) = (character, word ?? "")
            case (nil, "\\"), ("\"", "\\"):
                guard let next = rest.next() else { throw Unfinished(missing: "a character after a backslash") }
                // Inside "…" a backslash escapes only a quotation mark or a backslash.
                let isPlain = quotation != nil && next != "\"" && next != "\\"
                word = (word ?? "") + (isPlain ? "\\" : "") + String(next)
            case (character, _):
                quotation = nil
            default:
                word = (word ?? "") + String(character)
            }
        }
        if let quotation { throw Unfinished(missing: "the closing quotation mark \(quotation)") }
        return words + [word].compactMap(\.self)
    }
}
