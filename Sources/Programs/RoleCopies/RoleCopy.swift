/// A source of an app as one of its devices sees it.
///
/// Every line keeps its number: what does not belong to the device becomes spaces.
package struct RoleCopy: Sendable {
    /// The longest source in bytes. 10 MB: ``SourceText/maximumBytes``.
    package static let maximumBytes = SourceText.maximumBytes

    /// The imports that the compiler may reach.
    package let imports: [ImportStatement]
    let source: SourceText
    /// The tokens of the copy.
    let tokens: [SourceToken]
    /// The numbers of the tokens that need Objective-C in the original, and nothing in the copy but what WatchLink has.
    let adapted: Set<Int>
    private let edits: [SourceEdit]

    /// - Parameters:
    ///   - text: The bytes of the Swift file, in UTF-8.
    ///   - ownModules: The modules whose sources are among the copies, which makes importing them pointless.
    /// - Throws: ``CopyError`` if its directives do not match, or a limit is exceeded.
    package init(of text: [UInt8], for role: CopyRole, ownModules: [String] = []) throws(CopyError) {
        source = try SourceText(text)
        let blocks = try ConditionalBlocks(source, role: role)
        let unavailable = try UnavailableCode(source, blocks.remaining, role: role)
        tokens = unavailable.remaining
        let replaced = ReplacedImports(source, tokens, ownModules: ownModules)
        imports = replaced.imports
        var edits = blocks.edits + unavailable.edits + replaced.edits
        edits += OptionalCalls(source, tokens).edits
        let (text, code) = (source, tokens)
        // Few sources need them.
        lazy var types = EnclosingTypes(text, code)
        let selectors = SelectorExpressions(text, code) { types }
        let observers = KeyPathObservers(text, code) { types }
        let keyPaths = KeyPathTexts(text, code)
        edits += selectors.edits + observers.edits + keyPaths.edits
        adapted = selectors.replaced.union(observers.declared).union(keyPaths.replaced)
        // `#!` is allowed only at the very beginning of a file.
        if source.bytes.starts(with: Array("#!".utf8)) {
            edits.append(SourceEdit(range: 0..<LiteralLexer(source).endOfLine(0)))
        }
        self.edits = edits
    }

    /// The text of the copy; it has as many lines as the original.
    package var body: [UInt8] { SourceEdit.apply(edits, to: source.bytes) }

    /// Returns the text of the copy's file: the body, and a line that names the original to the compiler and to debuggers.
    ///
    /// That line takes the place of the first one if this is empty or a comment, so that the lines in the compiler's
    /// quotations have the original's numbers, too; else it precedes the body.
    package func file(naming original: String) -> [UInt8] {
        let body = body
        let firstEnd = LiteralLexer(source).endOfLine(0)
        let first = body[..<firstEnd].drop { $0 == 32 || $0 == 9 }
        guard firstEnd < body.count, first.isEmpty || first.starts(with: Array("//".utf8)) else {
            return Self.heading(original, line: 1) + body
        }
        let isPair = body[firstEnd...].starts(with: Array("\r\n".utf8))
        return Self.heading(original, line: 2) + body[(firstEnd + (isPair ? 2 : 1))...]
    }

    /// Returns the text of the file for a source that is left out.
    package static func leftOut(_ original: String, because reason: String) -> [UInt8] {
        heading(original, line: 1) + Array("// Left out: \(reason).\n".utf8)
    }

    private static func heading(_ original: String, line: Int) -> [UInt8] {
        let name = original.flatMap { letter in
            switch letter {
            case "\\": "\\\\"
            case "\"": "\\\""
            case "\n": "\\n"
            default: String(letter)
            }
        }
        return Array("#sourceLocation(file: \"\(String(name))\", line: \(line))\n".utf8)
    }
}
