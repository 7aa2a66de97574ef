/// A line on standard error by which a program says itself that something is wrong.
package struct ComplaintWord: Hashable, Sendable {
    /// The beginning of such a line that a program writes.
    static let mark = "FINDING"
    /// The beginnings of all such lines: the program's own, and those of Swift's runtime about a continuation that nobody will
    /// resume.
    static let marks = [mark, "SWIFT TASK CONTINUATION MISUSE"]

    package let line: String
    /// The time of the turn in which the line came, in the virtual time of the performance; nil in real time.
    package let time: Duration?

    /// - Returns: Nil for any other line.
    package init?(_ line: some StringProtocol, at time: Duration? = nil) {
        guard Self.marks.contains(where: { line.hasPrefix($0) }) else { return nil }
        (self.line, self.time) = (String(line), time)
    }

    /// The line without its mark and with each word that has a digit replaced: the same for one cause at different times.
    package var cause: String {
        let words =
            line.hasPrefix(Self.mark) ? line.dropFirst(Self.mark.count).drop { $0 == ":" || $0 == " " } : line[...]
        return Ending.withoutNumbers(String(words))
    }

    /// Returns the first line of each cause.
    package static func first(of words: [ComplaintWord]) -> [ComplaintWord] {
        var known: Set<String> = []
        return words.filter { known.insert($0.cause).inserted }
    }
}
