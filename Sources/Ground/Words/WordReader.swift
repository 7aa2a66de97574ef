/// Reads words one by one, for a grammar.
package struct WordReader {
    private var words: ArraySlice<String>

    package init(_ words: [String]) { self.words = words[...] }

    /// Reads a required word from a list.
    package mutating func choice(_ subject: String, among allowed: [String]) throws(WordError) -> String {
        guard let word = words.popFirst() else { throw .missing(subject: subject, allowed: allowed) }
        guard allowed.contains(word) else { throw .unknown(word, subject: subject, allowed: allowed) }
        return word
    }

    /// Reads a required word as a case of an enumeration.
    package mutating func choice<Choice: CaseIterable & RawRepresentable<String>>(
        _ subject: String
    ) throws(WordError) -> Choice {
        let allowed = Choice.allCases.map(\.rawValue)
        let word = try choice(subject, among: allowed)
        guard let choice = Choice(rawValue: word) else { throw .unknown(word, subject: subject, allowed: allowed) }
        return choice
    }

    /// Reads an optional word; nil if the next word is not a case of the type.
    package mutating func optional<Choice: RawRepresentable<String>>() -> Choice? {
        guard let choice = words.first.flatMap(Choice.init(rawValue:)) else { return nil }
        words.removeFirst()
        return choice
    }

    /// Consumes the next word if it is `word`, and returns whether it was.
    package mutating func take(_ word: String) -> Bool {
        guard words.first == word else { return false }
        words.removeFirst()
        return true
    }

    /// Reads all remaining words as KEY=VALUE with distinct keys.
    package mutating func options(_ subject: String, _ keys: [String]) throws(WordError) -> OptionWords {
        defer { words = [] }
        return try OptionWords(Array(words), subject, keys)
    }

    /// Reads any word; nil if none is left.
    package mutating func next() -> String? { words.popFirst() }

    /// The words not read yet.
    package var rest: [String] { Array(words) }

    /// Throws if a word is left.
    package func end(_ subject: String) throws(WordError) {
        if let word = words.first { throw .superfluous(word, subject: subject) }
    }
}
