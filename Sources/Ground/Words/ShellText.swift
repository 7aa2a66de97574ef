/// Words as a shell takes them for what they are.
package enum ShellText {
    package static func quoted(_ word: String) -> String {
        let plain = word.unicodeScalars.allSatisfy { scalar in
            scalar.isASCII
                && (scalar.properties.isAlphabetic || ("0"..."9").contains(scalar)
                    || "/._-=:,+@%".unicodeScalars.contains(scalar))
        }
        return plain && !word.isEmpty ? word : "'" + word.replacing("'", with: "'\\''") + "'"
    }

    /// A command line that ends within a quotation.
    package struct Unfinished: Error, Equatable, Sendable, CustomStringConvertible {
        /// What would have to follow: a quotation mark, or any character after a backslash.
        package let missing: String

        package var description: String { "\(missing) is missing at its end" }
    }

    /// The words of a command line, as a shell divides them: at spaces, but not within '…' and "…" or after a backslash. Nothing else means
    /// anything: there are no variables, patterns or pipes.
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
                guard let next = rest.next() else { throw Unfinished(missing: "a character after the backslash") }
                // Within "…" a backslash is one, but for those that would be something else.
                let isPlain = quotation != nil && next != "\"" && next != "\\"
                word = (word ?? "") + (isPlain ? "\\" : "") + String(next)
            case (character, _):
                quotation = nil
            default:
                word = (word ?? "") + String(character)
            }
        }
        if let quotation { throw Unfinished(missing: "the quotation mark \(quotation)") }
        return words + [word].compactMap(\.self)
    }
}
