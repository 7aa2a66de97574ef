/// Finds `#selector(…)`, which needs the runtime of Objective-C, and makes it a value of a type that FoundationGaps has.
///
/// `#selector(changed(_:))` in a class `A` becomes `Selector (A.changed(_:))`: the method as a function of the object,
/// which may be private. That takes a method with at most one parameter. The accessors of a property and the methods of
/// an expression stay: their names do not tell the type.
struct SelectorExpressions {
    private(set) var edits: [SourceEdit] = []
    /// The numbers of the tokens `#selector` that are replaced.
    private(set) var replaced: Set<Int> = []

    /// The most words of a name with dots. 16: more than people write; hostile sources have millions.
    private static let maximumWords = 16

    init(_ source: SourceText, _ tokens: [SourceToken], _ types: () -> EnclosingTypes) {
        let places = tokens.indices.filter { source.matches(tokens[$0], "#selector") }
        guard !places.isEmpty else { return }
        let types = types()
        for place in places {
            guard let names = Self.names(source, tokens, after: place) else { continue }
            let first = source.text(tokens[names[0]])
            let declaration = types.declaration(around: place)
            let ownType = declaration.flatMap { $0.canBeClass ? $0.name : nil }
            var edit: SourceEdit?
            if names.count == 1 {
                guard let ownType else { continue }
                let start = tokens[names[0]].range.lowerBound
                edit = SourceEdit(range: start..<start, replacement: ownType + ".")
            } else if first == "self" || first == "Self" {
                guard let ownType, names.count == 2 else { continue }
                edit = SourceEdit(range: tokens[names[0]].range, replacement: ownType)
            } else if first.first?.isUppercase != true {
                continue
            }
            edits.append(SourceEdit(range: tokens[place].range, replacement: "Selector"))
            if let edit { edits.append(edit) }
            replaced.insert(place)
        }
    }

    /// Returns the numbers of the words of a method's name; nil if there is something else in the parentheses.
    private static func names(_ source: SourceText, _ tokens: [SourceToken], after pound: Int) -> [Int]? {
        func has(_ text: StaticString, _ place: Int) -> Bool {
            place < tokens.count && source.matches(tokens[place], text)
        }
        guard has("(", pound + 1) else { return nil }
        var names: [Int] = []
        var place = pound + 2
        while place < tokens.count, tokens[place].kind == .word, names.count < maximumWords {
            names.append(place)
            place += 1
            guard has(".", place) else { break }
            place += 1
        }
        if has("(", place) {
            guard place + 1 < tokens.count, tokens[place + 1].kind == .word, has(":", place + 2), has(")", place + 3)
            else { return nil }
            place += 4
        }
        return has(")", place) && !names.isEmpty ? names : nil
    }
}
