/// Finds the end of a declaration.
struct DeclarationEnd {
    private let source: SourceText
    private let tokens: [SourceToken]

    init(_ source: SourceText, _ tokens: [SourceToken]) {
        self.source = source
        self.tokens = tokens
    }

    /// The declarations that end with their first block.
    private static let blocks: Set = [
        "func", "init", "deinit", "subscript", "class", "struct", "enum", "extension", "protocol", "actor", "macro",
        "precedencegroup", "get", "set", "willSet", "didSet", "_read", "_modify",
    ]
    /// The declarations that have no block, or that go on after one: `= { … }()`.
    private static let statements: Set = ["var", "let", "case", "typealias", "associatedtype", "import", "operator"]
    /// The words that continue a declaration at the beginning of a line.
    private static let continuing: Set = ["where", "throws", "rethrows", "async", "as", "is", "else", "catch", "in"]

    /// Returns the number of the token after a declaration.
    ///
    /// - Parameter keyword: The number of the token after the attributes and modifiers.
    /// - Returns: Nil if it is not the keyword of a declaration.
    func after(_ keyword: Int) -> Int? {
        guard keyword < tokens.count, tokens[keyword].kind == .word else { return nil }
        let word = source.text(tokens[keyword])
        guard Self.blocks.contains(word) || Self.statements.contains(word) else { return nil }
        var place = keyword + 1
        while place < tokens.count {
            let token = tokens[place]
            if token.startsLine, !continues(at: place) { return place }
            if case .directive = token.kind {
                guard let after = afterPostfixBlock(place) else { return place }
                place = after
                continue
            }
            switch token.kind == .mark ? source.bytes[token.range.lowerBound] : 0 {
            case UInt8(ascii: ")"), UInt8(ascii: "]"), UInt8(ascii: "}"): return place
            case UInt8(ascii: ";"): return place + 1
            case UInt8(ascii: "{"):
                place = DeclarationHead.afterBrackets(source, tokens, at: place)
                guard Self.blocks.contains(word) else { break }
                let isSeparated = place < tokens.count && source.matches(tokens[place], ";")
                return isSeparated ? place + 1 : place
            case UInt8(ascii: "("), UInt8(ascii: "["):
                place = DeclarationHead.afterBrackets(source, tokens, at: place)
            default: place += 1
            }
        }
        return place
    }

    /// Returns true if the first token of a line belongs to the line before it.
    private func continues(at place: Int) -> Bool {
        let (last, next) = (tokens[place - 1], tokens[place])
        if endsOpen(last) { return true }
        switch next.kind {
        case .mark: return "{,:".utf8.contains(first(next))
        case .symbol:
            if source.matches(next, "=") || source.matches(next, "->") || first(next) == UInt8(ascii: ".") {
                return true
            }
            // An infix operator has space on both sides; a prefix one begins another statement.
            return isSpace(next.range.upperBound)
        case .word:
            guard Self.continuing.contains(source.text(next)) else { return isLabel(place) }
            return
                !(source.matches(next, "async") && place + 1 < tokens.count && source.matches(tokens[place + 1], "let"))
        case .directive(.ifTrue): return isPostfixBlock(place)
        case .directive, .literal, .poundWord: return false
        }
    }

    /// Returns true if nothing can end with a token.
    private func endsOpen(_ token: SourceToken) -> Bool {
        switch token.kind {
        case .mark: ",:@".utf8.contains(first(token))
        case .symbol:
            source.matches(token, "=") || source.matches(token, "->") || source.matches(token, ".")
                // An infix operator at the end of a line has space before it.
                || isSpace(token.range.lowerBound - 1)
        case .word: ["where", "in", "as", "is", "else"].contains(source.text(token))
        case .directive, .literal, .poundWord: false
        }
    }

    /// Returns true for the label of another trailing closure: `onError: {`.
    private func isLabel(_ place: Int) -> Bool {
        place + 2 < tokens.count && source.matches(tokens[place - 1], "}") && source.matches(tokens[place + 1], ":")
            && source.matches(tokens[place + 2], "{")
    }

    /// Returns true for an `#if` around a part of a postfix expression.
    private func isPostfixBlock(_ place: Int) -> Bool {
        place + 1 < tokens.count && tokens[place + 1].kind == .symbol && first(tokens[place + 1]) == UInt8(ascii: ".")
    }

    private func afterPostfixBlock(_ start: Int) -> Int? {
        guard isPostfixBlock(start) else { return nil }
        var open = 0
        for place in start..<tokens.count {
            if tokens[place].kind == .directive(.ifTrue) { open += 1 }
            if tokens[place].kind == .directive(.end) { open -= 1 }
            if open == 0 { return place + 1 }
        }
        return nil
    }

    private func first(_ token: SourceToken) -> UInt8 { source.bytes[token.range.lowerBound] }

    private func isSpace(_ place: Int) -> Bool {
        guard source.bytes.indices.contains(place) else { return true }
        return [9, 10, 13, 32].contains(source.bytes[place])
    }
}
