/// An import that remains in a copy.
package struct ImportStatement: Equatable, Sendable {
    /// The module, without submodules and symbols.
    package let module: String
    /// The line of the source, from 1.
    package let line: Int
    /// True inside `#if canImport(…)`: without the module, the compiler skips the import.
    package let isTentative: Bool
}
