/// Finds the imports of a copy, and those that something on Linux takes the place of.
///
/// An import of a framework of which a source uses no name only brings what the framework re-exports: Foundation, and
/// with SwiftUI also Combine and Observation. An import of a module whose sources are copied into the same target brings
/// nothing.
struct ReplacedImports {
    /// The imports that the compiler may reach.
    let imports: [ImportStatement]
    let edits: [SourceEdit]

    init(_ source: SourceText, _ tokens: [SourceToken], ownModules: [String]) {
        var imports: [ImportStatement] = []
        var edits: [SourceEdit] = []
        for statement in ImportList.imports(source, tokens) {
            guard let modules = Self.modules(insteadOf: statement, source, tokens, ownModules) else {
                imports.append(statement)
                continue
            }
            edits.append(
                SourceEdit(
                    range: Self.range(statement, source, tokens),
                    replacement: modules.joined(separator: "; import ")))
            imports += modules.map { statement.of($0) }
        }
        (self.imports, self.edits) = (imports, edits)
    }

    /// Returns the modules to import instead of another one; nil if it is needed.
    private static func modules(
        insteadOf statement: ImportStatement, _ source: SourceText, _ tokens: [SourceToken], _ ownModules: [String]
    ) -> [String]? {
        guard !statement.isOfOneName, !statement.isTentative else { return nil }
        if ownModules.contains(statement.module) { return ["Foundation"] }
        guard AppleFramework.isRecognized(statement.module), !uses(statement, source, tokens) else { return nil }
        return statement.module == "SwiftUI" ? ["Combine", "Foundation", "Observation"] : ["Foundation"]
    }

    private static func uses(_ statement: ImportStatement, _ source: SourceText, _ tokens: [SourceToken]) -> Bool {
        tokens.indices.contains { place in
            guard tokens[place].kind == .word || tokens[place].kind == .poundWord, place != statement.token,
                place == 0 || !source.matches(tokens[place - 1], ".")
            else { return false }
            return AppleFramework.owns(source.text(tokens[place]), statement.module)
        }
    }

    /// Returns the range of a module's name, with its submodules.
    private static func range(
        _ statement: ImportStatement, _ source: SourceText, _ tokens: [SourceToken]
    ) -> Range<Int> {
        var last = statement.token
        while last + 2 < tokens.count, source.matches(tokens[last + 1], "."), tokens[last + 2].kind == .word { last += 2 }
        return tokens[statement.token].range.lowerBound..<tokens[last].range.upperBound
    }
}
