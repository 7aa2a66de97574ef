import RoleCopies

/// Returns the lines of a copy by number, without those that are empty.
func copiedLines(_ text: String, for role: CopyRole) throws -> [Int: String] {
    let body = String(decoding: try RoleCopy(of: Array(text.utf8), for: role).body, as: UTF8.self)
    var lines: [Int: String] = [:]
    for (number, line) in body.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).enumerated() {
        let words = line.split(separator: " ")
        if !words.isEmpty { lines[number + 1] = words.joined(separator: " ") }
    }
    return lines
}

/// Returns the text of a copy.
func copiedText(_ text: String, for role: CopyRole) throws -> String {
    String(decoding: try RoleCopy(of: Array(text.utf8), for: role).body, as: UTF8.self)
}
