import Testing

/// A build that differs from the recorded one.
struct ReplayedChange: CustomTestStringConvertible, Sendable {
    let pair: String
    let side: String
    /// The words of its option `--change`.
    let words: String
    /// The change that must be named; empty for none.
    let name: String

    var testDescription: String { "\(pair), \(side): \(words)" }

    init(_ pair: String, _ side: String, _ words: String, _ name: String) {
        (self.pair, self.side, self.words, self.name) = (pair, side, words, name)
    }
}
