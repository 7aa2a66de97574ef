/// What a peer is told of an error: the text without the paths of this machine, which are none of its business.
///
/// Every package's error message goes through here when it is written, so that no error, however it came about, tells more.
package enum PeerText {
    /// What stands for a path.
    private static let placeholder = "(path)"
    /// What ends a path in an error's text. A blank does not: it may be part of a name.
    private static let ends: Set<Character> = [",", ";", ")", "”", "’", "\"", "'", "»", "\n"]

    package static func of(_ text: String) -> String {
        guard text.contains("/") else { return text }
        var safe = ""
        var rest = text[...]
        while let character = rest.first {
            // A slash within a word, as in “and/or”, begins none.
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

    /// A colon ends a path only before a blank, as between what failed and why.
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
