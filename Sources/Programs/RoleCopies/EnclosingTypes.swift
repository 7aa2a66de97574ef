/// The types and extensions of a source, and the one that each token is in.
struct EnclosingTypes {
    /// The most tokens that are read between a type's name and its opening brace. 256: more than protocols that people
    /// name; each keyword would read all that follows.
    private static let maximumHead = 256

    /// The declaration of a type, or an extension.
    struct Declaration {
        /// The keyword, such as `class`.
        let keyword: String
        /// The name as it is written: an extension's may have dots.
        fileprivate(set) var name: String
        /// The names after the colon, without what follows `where`.
        fileprivate(set) var inherited: [String] = []
        /// The number of the last token before the opening brace, or before `where`.
        fileprivate(set) var lastOfHead: Int
        /// The number of the token after the opening brace.
        fileprivate(set) var start = 0

        /// True if it may be a class.
        var canBeClass: Bool { keyword == "class" || keyword == "extension" }
    }

    private(set) var all: [Declaration] = []
    /// The number of the innermost declaration, for each token that is in one.
    private var innermost: [Int?] = []

    private static let keywords: Set = ["class", "struct", "enum", "extension", "actor", "protocol"]
    /// The words after `class` that make it a modifier of a member.
    private static let members: Set = [
        "func", "var", "let", "subscript", "override", "final", "public", "open", "internal", "package", "private",
        "fileprivate", "dynamic", "nonisolated", "async",
    ]

    init(_ source: SourceText, _ tokens: [SourceToken]) {
        innermost.reserveCapacity(tokens.count)
        // The declarations of the open braces; nil for other braces.
        var open: [Int?] = []
        var enclosing: [Int] = []
        var next: Declaration?
        for place in tokens.indices {
            innermost.append(enclosing.last)
            if let declaration = next, declaration.start == place { next = nil }
            if tokens[place].kind == .word, let declaration = Self.declaration(source, tokens, at: place) {
                next = declaration
            }
            guard tokens[place].kind == .mark else { continue }
            if source.matches(tokens[place], "{") {
                if let declaration = next, declaration.start == place + 1 {
                    all.append(declaration)
                    enclosing.append(all.count - 1)
                    open.append(all.count - 1)
                } else {
                    open.append(nil)
                }
            }
            if source.matches(tokens[place], "}"), open.popLast() as? Int != nil { enclosing.removeLast() }
        }
    }

    /// Returns the innermost declaration that a token is in.
    func declaration(around place: Int) -> Declaration? { innermost[place].map { all[$0] } }

    /// Reads the head of a declaration whose keyword is at a token; nil if there is none.
    private static func declaration(
        _ source: SourceText, _ tokens: [SourceToken], at keyword: Int
    ) -> Declaration? {
        let kind = source.text(tokens[keyword])
        guard keywords.contains(kind), keyword + 1 < tokens.count, tokens[keyword + 1].kind == .word,
            keyword == 0 || !source.matches(tokens[keyword - 1], ".")
        else { return nil }
        let name = source.text(tokens[keyword + 1])
        guard !members.contains(name) else { return nil }
        var result = Declaration(keyword: kind, name: name, lastOfHead: keyword + 1)
        var (angles, isInherited, isCondition) = (0, false, false)
        for place in (keyword + 2)..<min(tokens.count, keyword + maximumHead) {
            let token = tokens[place]
            let text = source.text(token)
            if text == "{" {
                result.start = place + 1
                return result
            }
            switch token.kind {
            case .word:
                if keywords.contains(text) || members.contains(text) { return nil }
                if text == "where" { isCondition = true }
                if isInherited, angles == 0, !isCondition { result.inherited.append(text) }
                if !isInherited, source.matches(tokens[place - 1], "."), angles == 0 { result.name += "." + text }
            case .symbol:
                angles += text.count { $0 == "<" } - text.count { $0 == ">" }
            case .mark:
                if ")]};".contains(text), !isCondition { return nil }
                if text == ":", !isCondition { isInherited = true }
            case .directive, .literal, .poundWord: return nil
            }
            if !isCondition { result.lastOfHead = place }
        }
        return nil
    }
}
