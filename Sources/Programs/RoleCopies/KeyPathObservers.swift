/// Finds the classes that receive `observeValue(forKeyPath:of:change:context:)`, and makes them declare it.
///
/// On Apple's platforms, they override a method that every object has. Here it is that of a protocol: the class declares
/// the conformance, and has nothing to override, nor to call if a change is not its own. A class that inherits the method
/// from another one of its source does override it.
struct KeyPathObservers {
    private(set) var edits: [SourceEdit] = []
    /// The numbers of the tokens `observeValue` that declare the method of a class.
    private(set) var declared: Set<Int> = []

    private static let protocolName = "KeyPathObserver"
    /// The most modifiers and attributes before `func`, in tokens. 32: more than there are modifiers.
    private static let maximumModifiers = 32

    init(_ source: SourceText, _ tokens: [SourceToken], _ types: () -> EnclosingTypes) {
        let places = tokens.indices.dropFirst().dropLast(2).filter { place in
            source.matches(tokens[place], "observeValue") && source.matches(tokens[place + 1], "(")
        }
        let methods = places.filter {
            source.matches(tokens[$0 - 1], "func") && source.matches(tokens[$0 + 2], "forKeyPath")
        }
        guard !methods.isEmpty else { return }
        let types = types()
        let observers = Set(methods.compactMap { types.declaration(around: $0)?.name })
        let heirs = Self.heirs(of: observers, types)
        for method in methods {
            guard let declaration = types.declaration(around: method), declaration.canBeClass else { continue }
            declared.insert(method)
            guard !heirs.contains(declaration.name) else { continue }
            let last = tokens[declaration.lastOfHead].range.upperBound
            let separator = declaration.inherited.isEmpty ? ": " : ", "
            edits.append(SourceEdit(range: last..<last, replacement: separator + Self.protocolName))
            if let override = Self.override(source, tokens, before: method) {
                edits.append(SourceEdit(range: tokens[override].range))
            }
        }
        var lastEnd = 0
        for place in places where place >= max(lastEnd, 2) && source.matches(tokens[place - 1], ".") {
            guard source.matches(tokens[place - 2], "super"), let type = types.declaration(around: place)?.name,
                observers.contains(type), !heirs.contains(type)
            else { continue }
            let end = DeclarationHead.afterBrackets(source, tokens, at: place + 1)
            lastEnd = end
            let range = tokens[place - 2].range.lowerBound..<tokens[end - 1].range.upperBound
            // A statement, because a branch must have one.
            edits.append(SourceEdit(range: range, replacement: "_ = ()"))
        }
    }

    /// Returns the types that inherit from observers of the same source.
    private static func heirs(of observers: Set<String>, _ types: EnclosingTypes) -> Set<String> {
        var children: [String: [String]] = [:]
        for type in types.all {
            for parent in type.inherited { children[parent, default: []].append(type.name) }
        }
        var (heirs, open): (Set<String>, [String]) = ([], Array(observers))
        while let parent = open.popLast() {
            for child in children[parent] ?? [] where heirs.insert(child).inserted { open.append(child) }
        }
        return heirs
    }

    /// Returns the number of the token `override` among the modifiers of a method.
    private static func override(_ source: SourceText, _ tokens: [SourceToken], before method: Int) -> Int? {
        let modifiers = tokens[..<(method - 1)].indices.reversed().prefix(maximumModifiers)
        return modifiers.prefix { place in
            tokens[place].kind == .word || "@()".utf8.contains(source.bytes[tokens[place].range.lowerBound])
        }.first { source.matches(tokens[$0], "override") }
    }
}
