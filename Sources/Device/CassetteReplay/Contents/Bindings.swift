/// Which value of a replay stands for which recorded one: values that an app makes anew in each run, such as
/// identifiers and dates, must be repeated where the recorded ones were.
package struct Bindings: Sendable {
    /// The types of values that are equal only because they were copied.
    ///
    /// Texts, small numbers and truth values are not among them: two of them can be equal by chance.
    private static let types: Set<String> = ["uuid", "identifier", "date"]

    private var replayed: [String: String] = [:]

    package init() {}

    /// Binds a recorded value to the one in its place, if it was not seen before.
    ///
    /// - Returns: False if it stands for another one.
    mutating func bind(_ recorded: Leaf, _ replayed: Leaf) -> Bool {
        guard Self.types.contains(recorded.type), let from = recorded.identity, let to = replayed.identity else {
            return true
        }
        let known = self.replayed[from, default: to]
        self.replayed[from] = known
        return known == to
    }
}
