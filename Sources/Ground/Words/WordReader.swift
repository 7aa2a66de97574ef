/// Takes words one by one, as a grammar expects them.
package struct WordReader {
    private var words: ArraySlice<String>

    package init(_ words: [String]) { self.words = words[...] }

    /// One of a list of words, which has to stand there.
    package mutating func choice(_ subject: String, among allowed: [String]) throws(WordError) -> String {
        guard let word = words.popFirst() else { throw .missing(subject: subject, allowed: allowed) }
        guard allowed.contains(word) else { throw .unknown(word, subject: subject, allowed: allowed) }
        return word
    }

    /// The same for a type whose values are words.
    package mutating func choice<Choice: CaseIterable & RawRepresentable<String>>(
        _ subject: String
    ) throws(WordError) -> Choice {
        let allowed = Choice.allCases.map(\.rawValue)
        let word = try choice(subject, among: allowed)
        guard let choice = Choice(rawValue: word) else { throw .unknown(word, subject: subject, allowed: allowed) }
        return choice
    }

    /// A word that may be left out.
    package mutating func optional<Choice: RawRepresentable<String>>() -> Choice? {
        guard let choice = words.first.flatMap(Choice.init(rawValue:)) else { return nil }
        words.removeFirst()
        return choice
    }

    /// Whether a certain word stands next; it is taken then.
    package mutating func take(_ word: String) -> Bool {
        guard words.first == word else { return false }
        words.removeFirst()
        return true
    }

    /// All that is left, each of it KEY=VALUE with a key of its own.
    package mutating func options(_ subject: String, _ keys: [String]) throws(WordError) -> OptionWords {
        defer { words = [] }
        return try OptionWords(Array(words), subject, keys)
    }

    /// Any word; nil if none is left.
    package mutating func next() -> String? { words.popFirst() }

    /// What was not taken yet.
    package var rest: [String] { Array(words) }

    /// Nothing may be left.
    package func end(_ subject: String) throws(WordError) {
        if let word = words.first { throw .superfluous(word, subject: subject) }
    }
}
