/// Error texts for peers: the paths of this machine are replaced, as a peer has no need to know them.
///
/// Every package's error message passes through here when it is encoded, so that no error can leak a path.
package enum PeerText {
    /// The replacement for a path.
    private static let placeholder = "(path)"
    /// The characters that end a path in an error text. A space does not: a file name may contain one.
    private static let ends: Set<Character> = [",", ";", ")", "”", "’", "\"", "'", "»", "\n"]

    package static func of(_ text: String) -> String {
        guard text.contains("/") else { return text }
        var safe = ""
        var rest = text[...]
        while let character = rest.first {
            // A slash within a word, as in “and/or”, does not begin a path.
            guard character == "/", safe.last.map({ !$0.isLetter && !$0.isNumber }) ?? true else {
                safe.append(character)
                rest = rest.dropFirst()
                continue
            }
            safe += placeholder
            rest = rest[end(of: rest)...]
        }
        return safe
    }

    /// Returns the end of a path. A colon ends it only before a space or at the end of the text.
    private static func end(of path: Substring) -> Substring.Index {
        var index = path.startIndex
        while index < path.endIndex {
            let next = path.index(after: index)
            if ends.contains(path[index]) { return index }
            if path[index] == ":", next == path.endIndex || path[next] == " " { return index }
            index = next
        }
        return index
    }
}
