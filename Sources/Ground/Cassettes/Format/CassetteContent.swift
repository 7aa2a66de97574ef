/// A content of a cassette: a line of `contents.jsonl`.
package struct CassetteContent: Equatable, Sendable {
    /// The size of the original in bytes, rounded.
    package let bytes: Int
    package let value: RedactedValue

    package init(bytes: Int, value: RedactedValue) { (self.bytes, self.value) = (bytes, value) }

    /// Returns the line, without its end.
    ///
    /// - Parameter text: The text of the value, which is costly to make.
    static func line(digest: String, bytes: Int, text: String) -> String {
        "{\"d\":\"\(digest)\",\"b\":\(bytes),\"v\":\(text)}"
    }
}
