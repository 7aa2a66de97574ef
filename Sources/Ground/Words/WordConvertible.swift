/// A value that can be written as words: on a command line, in a request or in a file.
package protocol WordConvertible: Sendable {
    init(words: [String]) throws(WordError)
    /// The words from which ``init(words:)`` creates an equal value.
    var words: [String] { get }
}
