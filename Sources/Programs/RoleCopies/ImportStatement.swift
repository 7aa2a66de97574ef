/// An import that remains in a copy.
package struct ImportStatement: Equatable, Sendable {
    /// The module, without submodules and symbols.
    package let module: String
    /// The line of the source, from 1.
    package let line: Int
    /// True inside `#if canImport(…)`: without the module, the compiler skips the import.
    package let isTentative: Bool
    /// The number of the module's token.
    let token: Int
    /// True for `import struct Module.Name` and the like.
    let isOfOneName: Bool
    /// True for `public import` and the like.
    let hasAccessLevel: Bool
    /// The module that the source names instead, if the copy imports another one.
    var written: String?

    /// Returns the statement of the copy that imports another module.
    func of(_ module: String) -> ImportStatement {
        ImportStatement(
            module: module, line: line, isTentative: isTentative, token: token, isOfOneName: isOfOneName,
            hasAccessLevel: hasAccessLevel, written: self.module)
    }
}
