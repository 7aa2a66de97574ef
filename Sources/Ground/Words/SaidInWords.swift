/// What can be asked for in words, by whoever asks: on a command line, in a request, in a file.
package protocol SaidInWords: Sendable {
    init(words: [String]) throws(WordError)
    /// What ``init(words:)`` makes the same of.
    var words: [String] { get }
}
