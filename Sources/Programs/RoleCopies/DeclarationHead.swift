/// The attributes and modifiers before a declaration.
struct DeclarationHead {
    struct Attribute {
        /// The numbers of its tokens, from the at sign to the closing parenthesis.
        let tokens: Range<Int>
        let name: String
    }

    private(set) var attributes: [Attribute] = []
    /// The number of the first token after the head: the declaration's keyword, in valid code.
    private(set) var end: Int

    /// Reads the head that begins at a token; it is empty if none does.
    init(_ source: SourceText, _ tokens: [SourceToken], at start: Int) {
        end = start
        while end < tokens.count {
            let token = tokens[end]
            switch token.kind {
            case .mark where source.matches(token, "@"):
                guard end + 1 < tokens.count, tokens[end + 1].kind == .word else { return }
                let name = source.text(tokens[end + 1])
                var after = end + 2
                while after + 1 < tokens.count, source.matches(tokens[after], "."), tokens[after + 1].kind == .word {
                    after += 2
                }
                if after < tokens.count, source.matches(tokens[after], "("),
                    Self.takesSpacedArguments.contains(name) || Self.touches(tokens[after - 1], tokens[after])
                {
                    after = Self.afterBrackets(source, tokens, at: after)
                }
                attributes.append(Attribute(tokens: end..<after, name: name))
                end = after
            case .word where isModifier(source, tokens):
                end += 1
                if end < tokens.count, source.matches(tokens[end], "("), Self.touches(tokens[end - 1], tokens[end]) {
                    end = Self.afterBrackets(source, tokens, at: end)
                }
            case .directive where !attributes.isEmpty:
                // `#if` may surround attributes.
                guard let after = endOfAttributes(source, tokens) else { return }
                end = after
            default: return
            }
        }
    }

    private static let takesSpacedArguments: Set = ["available", "objc"]

    private static let modifiers: Set = [
        "public", "private", "fileprivate", "internal", "package", "open", "static", "final", "override", "mutating",
        "nonmutating", "nonisolated", "isolated", "lazy", "weak", "unowned", "dynamic", "optional", "required",
        "convenience", "indirect", "prefix", "postfix", "infix", "distributed", "consuming", "borrowing", "async",
        "__consuming",
    ]

    private func isModifier(_ source: SourceText, _ tokens: [SourceToken]) -> Bool {
        let word = source.text(tokens[end])
        guard word == "class" else { return Self.modifiers.contains(word) }
        // `class func` and the like.
        guard end + 1 < tokens.count, tokens[end + 1].kind == .word else { return false }
        let next = source.text(tokens[end + 1])
        return Self.modifiers.contains(next) || ["func", "var", "let", "subscript"].contains(next)
    }

    /// Returns the number of the token after an `#if` that contains only attributes.
    private func endOfAttributes(_ source: SourceText, _ tokens: [SourceToken]) -> Int? {
        guard tokens[end].kind == .directive(.ifTrue) else { return nil }
        var place = end + 1
        while place < tokens.count {
            if tokens[place].kind == .directive(.end) { return place + 1 }
            if case .directive(let directive) = tokens[place].kind, directive != .ifTrue {
                place += 1
                continue
            }
            let inner = DeclarationHead(source, tokens, at: place)
            guard inner.end > place, inner.attributes.count > 0 else { return nil }
            place = inner.end
        }
        return nil
    }

    private static func touches(_ first: SourceToken, _ second: SourceToken) -> Bool {
        first.range.upperBound == second.range.lowerBound
    }

    /// Returns the number of the token after the bracket that closes the one at a token.
    ///
    /// - Parameter limit: The most tokens that are read.
    static func afterBrackets(
        _ source: SourceText, _ tokens: [SourceToken], at start: Int, limit: Int = .max
    ) -> Int {
        var (place, open) = (start, 0)
        while place < tokens.count, place - start < limit {
            if tokens[place].kind == .mark {
                let byte = source.bytes[tokens[place].range.lowerBound]
                if "([{".utf8.contains(byte) { open += 1 }
                if ")]}".utf8.contains(byte) { open -= 1 }
            }
            place += 1
            if open <= 0 { break }
        }
        return place
    }
}
