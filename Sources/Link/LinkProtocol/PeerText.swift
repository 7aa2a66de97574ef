/// Error texts for peers: the paths of this machine are replaced, as a peer has no need to know them.
///
/// Every package's error message passes through here when it is encoded, so that no error can leak a path.
package enum PeerText {
    /// The replacement for a path.
    private static let placeholder = "(path)"
    /// The scalars that end a path in an error text. A space does not: a file name may contain one.
    private static let ends: Set<Unicode.Scalar> = [",", ";", ")", "”", "’", "\"", "'", "»", "\n"]

    /// Looks at scalars, not at characters: a slash before a combining scalar is another character, and yet begins a path.
    package static func of(_ text: String) -> String {
        guard text.utf8.contains(UInt8(ascii: "/")) else { return text }
        var safe = String.UnicodeScalarView()
        var rest = text.unicodeScalars[...]
        while let scalar = rest.first {
            // A slash within a word, as in “and/or”, does not begin a path.
            guard scalar == "/", !(safe.last.map(isOfWord) ?? false) else {
                safe.append(scalar)
                rest = rest.dropFirst()
                continue
            }
            safe += placeholder.unicodeScalars
            rest = rest[end(of: rest)...]
        }
        return String(safe)
    }

    private static func isOfWord(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.isAlphabetic || scalar.properties.numericType != nil
    }

    /// Returns the end of a path. A colon ends it only before a space or at the end of the text.
    private static func end(of path: Substring.UnicodeScalarView) -> String.Index {
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
