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
        let all = ImportList.imports(source, tokens)
        let needed = Self.usedFrameworks(all, source, tokens)
        for statement in all {
            guard !needed.contains(statement.module), let modules = Self.modules(insteadOf: statement, ownModules)
            else {
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

    /// Returns the modules to import instead of one of which no name is used; nil if that is not known.
    private static func modules(insteadOf statement: ImportStatement, _ ownModules: [String]) -> [String]? {
        guard !statement.isOfOneName, !statement.isTentative else { return nil }
        if ownModules.contains(statement.module) { return ["Foundation"] }
        guard AppleFramework.isRecognized(statement.module) else { return nil }
        return statement.module == "SwiftUI" ? ["Combine", "Foundation", "Observation"] : ["Foundation"]
    }

    /// Returns the imported frameworks of which the source uses names.
    private static func usedFrameworks(
        _ imports: [ImportStatement], _ source: SourceText, _ tokens: [SourceToken]
    ) -> Set<String> {
        let frameworks = Set(imports.map(\.module).filter(AppleFramework.isRecognized))
        guard !frameworks.isEmpty else { return [] }
        let modules = Set(imports.map(\.token))
        var names: Set<String> = []
        for place in tokens.indices where tokens[place].kind == .word || tokens[place].kind == .poundWord {
            // After a dot, it is the member of something else.
            if place > 0, source.matches(tokens[place - 1], ".") || modules.contains(place) { continue }
            names.insert(source.text(tokens[place]))
        }
        return frameworks.filter { framework in names.contains { AppleFramework.owns($0, framework) } }
    }

    /// Returns the range of a module's name, with its submodules.
    private static func range(
        _ statement: ImportStatement, _ source: SourceText, _ tokens: [SourceToken]
    ) -> Range<Int> {
        var last = statement.token
        while last + 2 < tokens.count, source.matches(tokens[last + 1], "."), tokens[last + 2].kind == .word {
            last += 2
        }
        return tokens[statement.token].range.lowerBound..<tokens[last].range.upperBound
    }
}
