/// The types that sources declare, as far as it takes to find session delegates and to create them.
struct TypeCatalogue {
    /// A type, from its declaration and its extensions.
    struct Entry {
        var isDeclared = false
        /// True for what has objects of its own: not for protocols and enumerations.
        var isCreatable = false
        /// True if other files do not see it.
        var isPrivate = false
        var isGeneric = false
        /// True for the name of a composition of protocols.
        var isAlias = false
        /// The names after the colon.
        var inherited: Set<String> = []
        /// The words inside of its braces.
        var words: Set<String> = []
        /// The name of a static property that holds an object of the type.
        var shared: String?
        var hasInitialiser = false
        var hasPlainInitialiser = false
    }

    private struct Scope {
        let name: String
        /// The number of open braces inside of it.
        let depth: Int
    }

    private(set) var entries: [String: Entry] = [:]
    /// The types in the order of their first mention.
    private(set) var order: [String] = []
    private var scopes: [Scope] = []
    private var depth = 0

    private static let declarations: Set = ["class", "struct", "enum", "extension", "actor", "protocol"]

    mutating func add(_ copy: RoleCopy) {
        (scopes, depth) = ([], 0)
        let (source, tokens) = (copy.source, copy.tokens)
        var place = 0
        while place < tokens.count {
            let token = tokens[place]
            if token.kind == .word, Self.declarations.contains(source.text(token)) {
                place = addType(source, tokens, at: place)
                continue
            }
            if token.kind == .word, source.matches(token, "typealias") { addComposition(source, tokens, at: place) }
            if token.kind == .mark {
                if source.matches(token, "{") { depth += 1 }
                if source.matches(token, "}") {
                    depth -= 1
                    if let scope = scopes.last, depth < scope.depth { scopes.removeLast() }
                }
            } else if let scope = scopes.last, token.kind == .word {
                let word = source.text(token)
                for scope in scopes { update(scope.name) { $0.words.insert(word) } }
                if scope.depth == depth { addMember(source, tokens, at: place, of: scope.name) }
            }
            place += 1
        }
    }

    private mutating func update(_ name: String, _ change: (inout Entry) -> Void) {
        if entries[name] == nil { order.append(name) }
        change(&entries[name, default: Entry()])
    }

    /// Reads `typealias A = B & C`, to which conforms what conforms to A.
    private mutating func addComposition(_ source: SourceText, _ tokens: [SourceToken], at keyword: Int) {
        guard keyword + 2 < tokens.count, tokens[keyword + 1].kind == .word, source.matches(tokens[keyword + 2], "=")
        else { return }
        var parts: Set<String> = []
        var place = keyword + 3
        while place < tokens.count, tokens[place].kind == .word {
            parts.insert(source.text(tokens[place]))
            guard place + 1 < tokens.count, source.matches(tokens[place + 1], "&") else { break }
            place += 2
        }
        guard parts.count > 1 else { return }
        update(source.text(tokens[keyword + 1])) { entry in
            entry.isAlias = true
            entry.inherited.formUnion(parts)
        }
    }

    /// Reads the head of a type, and returns the number of the token after its opening brace.
    private mutating func addType(_ source: SourceText, _ tokens: [SourceToken], at keyword: Int) -> Int {
        guard keyword + 1 < tokens.count, tokens[keyword + 1].kind == .word,
            keyword == 0 || !source.matches(tokens[keyword - 1], ".")
        else { return keyword + 1 }
        var name = source.text(tokens[keyword + 1])
        var place = keyword + 2
        while place + 1 < tokens.count, source.matches(tokens[place], "."), tokens[place + 1].kind == .word {
            name += "." + source.text(tokens[place + 1])
            place += 2
        }
        let isGeneric = place < tokens.count && source.bytes[tokens[place].range.lowerBound] == UInt8(ascii: "<")
        if let outer = scopes.last { name = "\(outer.name).\(name)" }
        var inherited: [String] = []
        while place < tokens.count, !source.matches(tokens[place], "{") {
            // `class func` and `case class` are no types.
            if tokens[place].kind == .mark, "})];".utf8.contains(source.bytes[tokens[place].range.lowerBound]) {
                return place
            }
            if Self.declarations.contains(source.text(tokens[place])) { return place }
            if tokens[place].kind == .word { inherited.append(source.text(tokens[place])) }
            place += 1
        }
        let clause = inherited.prefix { $0 != "where" }
        let kind = source.text(tokens[keyword])
        let isPrivate = Self.isPrivate(source, tokens, at: keyword)
        update(name) { entry in
            entry.inherited.formUnion(clause)
            guard kind != "extension" else { return }
            entry.isDeclared = true
            entry.isCreatable = ["class", "struct", "actor"].contains(kind)
            // Without an initialiser, a structure takes the values of its properties.
            entry.hasInitialiser = entry.hasInitialiser || kind == "struct"
            entry.isGeneric = isGeneric
            entry.isPrivate = isPrivate
        }
        depth += 1
        scopes.append(Scope(name: name, depth: depth))
        return place + 1
    }

    private mutating func addMember(_ source: SourceText, _ tokens: [SourceToken], at place: Int, of name: String) {
        let rest = tokens[place...].dropFirst()
        let isPrivate = Self.isPrivate(source, tokens, at: place)
        if source.matches(tokens[place], "static"), let kind = rest.first, let property = rest.dropFirst().first,
            source.matches(kind, "let") || source.matches(kind, "var"), property.kind == .word
        {
            let value = rest.dropFirst(2).prefix(2).map { source.text($0) }
            let own = [name, Self.lastName(name), "Self"]
            guard !isPrivate, value.count == 2, ["=", ":"].contains(value[0]), own.contains(value[1]) else { return }
            update(name) { $0.shared = $0.shared ?? source.text(property) }
        }
        if source.matches(tokens[place], "init"), let open = rest.first, source.matches(open, "(") {
            let end = DeclarationHead.afterBrackets(source, tokens, at: place + 1)
            // What throws or suspends is not for a plain call.
            let isSimple = end >= tokens.count || !["throws", "async"].contains(source.text(tokens[end]))
            let isPlain = Self.hasOnlyDefaults(source, tokens[(place + 2)..<max(place + 2, end - 1)])
            update(name) { entry in
                entry.hasInitialiser = true
                if isPlain, isSimple, !isPrivate { entry.hasPlainInitialiser = true }
            }
        }
    }

    private static let modifiers: Set = [
        "final", "public", "open", "internal", "package", "indirect", "nonisolated", "override", "required",
        "convenience", "static",
    ]

    /// Returns true if one of the modifiers before a declaration hides it from other files.
    private static func isPrivate(_ source: SourceText, _ tokens: [SourceToken], at keyword: Int) -> Bool {
        let before = tokens[..<keyword].reversed().lazy.map { source.text($0) }
        return before.first { !modifiers.contains($0) }.map { ["private", "fileprivate"].contains($0) } ?? false
    }

    /// Returns true if every parameter has a default value, or there is none.
    private static func hasOnlyDefaults(_ source: SourceText, _ parameters: ArraySlice<SourceToken>) -> Bool {
        var (open, hasDefault) = (0, parameters.isEmpty)
        for token in parameters {
            if token.kind == .mark {
                let byte = source.bytes[token.range.lowerBound]
                if "([{".utf8.contains(byte) { open += 1 }
                if ")]}".utf8.contains(byte) { open -= 1 }
                if byte == UInt8(ascii: ","), open == 0 {
                    guard hasDefault else { return false }
                    hasDefault = false
                }
            }
            if open == 0, source.matches(token, "=") { hasDefault = true }
        }
        return hasDefault
    }
}
