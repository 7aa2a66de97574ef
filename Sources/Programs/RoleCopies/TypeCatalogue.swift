/// The types that sources declare, as far as it takes to find session delegates and to create them.
struct TypeCatalogue {
    private struct Entry {
        var isDeclared = false
        var isDelegate = false
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

    private var entries: [String: Entry] = [:]
    /// The types in the order of their first mention.
    private var order: [String] = []
    private var scopes: [Scope] = []
    private var depth = 0

    /// The names of all declared types, without those of the types around them.
    var names: Set<String> {
        Set(order.filter { entries[$0]?.isDeclared == true }.map { String($0.split(separator: ".").last ?? "") })
    }

    var delegates: [SessionDelegate] {
        order.compactMap { name in
            guard let entry = entries[name], entry.isDelegate else { return nil }
            let isPlain = entry.hasPlainInitialiser || !entry.hasInitialiser
            return SessionDelegate(
                name: name, expression: entry.shared.map { "\(name).\($0)" } ?? (isPlain ? "\(name)()" : nil))
        }
    }

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
            if token.kind == .mark {
                if source.matches(token, "{") { depth += 1 }
                if source.matches(token, "}") {
                    depth -= 1
                    if let scope = scopes.last, depth < scope.depth { scopes.removeLast() }
                }
            } else if let scope = scopes.last, scope.depth == depth, token.kind == .word {
                addMember(source, tokens, at: place, of: scope.name)
            }
            place += 1
        }
    }

    private mutating func update(_ name: String, _ change: (inout Entry) -> Void) {
        if entries[name] == nil { order.append(name) }
        change(&entries[name, default: Entry()])
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
        let isProtocol = source.matches(tokens[keyword], "protocol")
        update(name) { entry in
            if !source.matches(tokens[keyword], "extension") { entry.isDeclared = true }
            if clause.contains("WCSessionDelegate"), !isProtocol { entry.isDelegate = true }
        }
        depth += 1
        scopes.append(Scope(name: name, depth: depth))
        return place + 1
    }

    private mutating func addMember(_ source: SourceText, _ tokens: [SourceToken], at place: Int, of name: String) {
        let rest = tokens[place...].dropFirst()
        if source.matches(tokens[place], "static"), let kind = rest.first, let property = rest.dropFirst().first,
            source.matches(kind, "let") || source.matches(kind, "var"), property.kind == .word
        {
            let value = rest.dropFirst(2).prefix(2).map { source.text($0) }
            let own = [name, String(name.split(separator: ".").last ?? ""), "Self"]
            guard value.count == 2, ["=", ":"].contains(value[0]), own.contains(value[1]) else { return }
            update(name) { $0.shared = $0.shared ?? source.text(property) }
        }
        if source.matches(tokens[place], "init"), let open = rest.first, source.matches(open, "(") {
            let end = DeclarationHead.afterBrackets(source, tokens, at: place + 1)
            let isPrivate = place > 0 && ["private", "fileprivate"].contains(source.text(tokens[place - 1]))
            let isPlain = Self.hasOnlyDefaults(source, tokens[(place + 2)..<max(place + 2, end - 1)])
            update(name) { entry in
                entry.hasInitialiser = true
                if isPlain, !isPrivate { entry.hasPlainInitialiser = true }
            }
        }
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
