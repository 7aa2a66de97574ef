/// The key paths of one kind of event whose values differ from run to run.
package struct VariablePaths: Equatable, Sendable {
    package var values: Set<String> = []
    /// Those at which an identifier need not be the copy of another one, such as that of an entry that is drawn by chance.
    package var drawn: Set<String> = []

    package init(values: Set<String> = [], drawn: Set<String> = []) { (self.values, self.drawn) = (values, drawn) }
}
