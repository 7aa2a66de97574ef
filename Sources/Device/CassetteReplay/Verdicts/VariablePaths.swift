/// The key paths of one kind of event whose values differ from run to run.
package struct VariablePaths: Equatable, Sendable {
    package private(set) var values: Set<String>
    /// Those of them at which an identifier need not be the copy of another one, such as that of an entry that is drawn by chance.
    package private(set) var drawn: Set<String>

    package init(values: Set<String> = [], drawn: Set<String> = []) { (self.values, self.drawn) = (values, drawn) }

    mutating func insert(_ path: String, isDrawn: Bool) {
        values.insert(path)
        if isDrawn { drawn.insert(path) }
    }
}
