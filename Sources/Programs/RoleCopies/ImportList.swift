/// Finds the imports among the tokens of a copy.
enum ImportList {
    private static let kinds: Set = ["class", "struct", "enum", "protocol", "typealias", "func", "var", "let", "actor"]
    private static let modifiers: Set = ["public", "package", "internal", "private", "fileprivate"]

    static func imports(_ source: SourceText, _ tokens: [SourceToken]) -> [ImportStatement] {
        tokens.indices.compactMap { place in
            guard tokens[place].kind == .word, source.matches(tokens[place], "import"),
                beginsStatement(source, tokens, place)
            else { return nil }
            var name = place + 1
            if name + 1 < tokens.count, kinds.contains(source.text(tokens[name])), tokens[name + 1].kind == .word {
                name += 1
            }
            guard name < tokens.count, tokens[name].kind == .word else { return nil }
            return ImportStatement(
                module: source.text(tokens[name]), line: source.line(of: tokens[place].range.lowerBound),
                isTentative: tokens[place].isTentative, token: name, isOfOneName: name > place + 1,
                hasAccessLevel: place > 0 && modifiers.contains(source.text(tokens[place - 1])))
        }
    }

    private static func beginsStatement(_ source: SourceText, _ tokens: [SourceToken], _ place: Int) -> Bool {
        guard !tokens[place].startsLine, place > 0 else { return true }
        let last = tokens[place - 1]
        // An attribute, its arguments, or a modifier can precede it.
        return source.matches(last, ";") || modifiers.contains(source.text(last)) || source.matches(last, ")")
            || place > 1 && source.matches(tokens[place - 2], "@")
    }
}
