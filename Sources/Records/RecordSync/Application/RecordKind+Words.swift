package import RecordStorage

/// A kind in texts for people.
extension RecordKind {
    /// The name with its article: “a workout”, “an order”.
    package var withArticle: String { "aeiou".contains(name.prefix(1)) ? "an \(name)" : "a \(name)" }

    /// Returns the text of an error.
    package func text(_ error: PayloadError) -> String {
        switch error {
        case .invalid: error.description
        case .undecodable(let reason): "not \(withArticle): \(reason)"
        }
    }
}
