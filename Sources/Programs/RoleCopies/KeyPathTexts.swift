/// Finds `#keyPath(…)` of the types whose properties can be observed by name, and makes it the text that it stands for.
///
/// The text has the name of Objective-C: `#keyPath(WCSession.isReachable)` is `"reachable"`.
struct KeyPathTexts {
    private(set) var edits: [SourceEdit] = []
    /// The numbers of the tokens `#keyPath` that are replaced.
    private(set) var replaced: Set<Int> = []

    private static let types: Set = ["WCSession", "Progress"]

    init(_ source: SourceText, _ tokens: [SourceToken]) {
        for place in tokens.indices.dropLast(5) where source.matches(tokens[place], "#keyPath") {
            guard source.matches(tokens[place + 1], "("), Self.types.contains(source.text(tokens[place + 2])),
                source.matches(tokens[place + 3], "."), tokens[place + 4].kind == .word,
                source.matches(tokens[place + 5], ")")
            else { continue }
            let range = tokens[place].range.lowerBound..<tokens[place + 5].range.upperBound
            let name = Self.nameInObjectiveC(source.text(tokens[place + 4]))
            edits.append(SourceEdit(range: range, replacement: "\"\(name)\""))
            replaced.insert(place)
        }
    }

    /// Returns the name of a property whose getter has a name in Swift.
    private static func nameInObjectiveC(_ getter: String) -> String {
        let rest = getter.dropFirst(2)
        guard getter.hasPrefix("is"), let first = rest.first, first.isUppercase else { return getter }
        return first.lowercased() + rest.dropFirst()
    }
}
