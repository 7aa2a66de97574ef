/// Which value of a replay stands for which recorded one: values that an app makes anew in each run, such as
/// identifiers and dates, must be repeated where the recorded ones were.
package struct Bindings: Sendable {
    /// The relation of two values in the same place to the values that were there before.
    enum Relation {
        /// The one stands for the other, or says nothing about it.
        case bound
        /// The recorded one was another one's copy; the replayed one is not.
        case parted
        /// The recorded one was no copy; the replayed one is.
        case merged
    }

    private var replayed: [String: String] = [:]
    /// The recorded identifiers, by those of the replay.
    private var recorded: [String: String] = [:]

    package init() {}

    /// Binds a recorded value to the one in its place, if it was not seen before.
    mutating func bind(_ recorded: Leaf, _ replayed: Leaf) -> Relation {
        guard let from = Self.identity(recorded), let to = Self.identity(replayed) else { return .bound }
        if let known = self.replayed[from] { return known == to ? .bound : .parted }
        guard recorded.type != "date" else {
            self.replayed[from] = to
            return .bound
        }
        // It stays unbound, so that each place is told: what the app was given is bound first, and not compared.
        if let known = self.recorded[to], known != from { return .merged }
        (self.replayed[from], self.recorded[to]) = (to, from)
        return .bound
    }

    /// Returns the text by which equal values are known; of a text that is shown, the identifier in it.
    ///
    /// Texts, small numbers and truth values have none: two of them can be equal by chance. Two dates can be made at one moment.
    private static func identity(_ leaf: Leaf) -> String? {
        if leaf.isMadeAnew { return leaf.identity }
        guard leaf.type == "string", let identifier = leaf.value?.identifierWithin else { return nil }
        return "=\(identifier)"
    }
}
