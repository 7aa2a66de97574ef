/// A piece of Swift source that is neither white space nor a comment.
struct SourceToken: Equatable {
    enum Kind: Equatable {
        /// A name, a keyword or a number.
        case word
        /// A string or a regular expression, including its interpolations.
        case literal
        /// A directive of conditional compilation, without its condition.
        case directive(Directive)
        /// Another word after a number sign: `#selector`, `#available`, a macro.
        case poundWord
        /// An operator, or a part of the grammar that is made of the same characters: `->`, `=`, `.`.
        case symbol
        /// Any other character: brackets, commas, colons, semicolons, at signs.
        case mark
    }

    var kind: Kind
    let range: Range<Int>
    /// True for the first token of a line.
    let startsLine: Bool
    /// True in a branch that the compiler takes or leaves depending on a module's presence.
    var isTentative = false
}
