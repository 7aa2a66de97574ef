/// A place in a source file at which one fault can be planted.
struct Site {
    let kind: FaultKind
    /// The file, relative to the package.
    let path: String
    /// The declarations around the place, outermost first: `Framing.next(_:)`.
    let scope: String
    /// The first line, from 1; planting keeps all lines where they are.
    let line: Int
    /// The number of line ends within the replaced text.
    let height: Int
    /// The replaced bytes of the file.
    let bytes: Range<Int>
    let before: String
    let after: String
    /// The replacement around the number of the fault: `(faultIsPlanted(` 17 `) ? a <= b : a < b)`.
    let head: String
    let tail: String

    /// The identity of the fault across commits: everything but its line.
    var key: String { "\(path) · \(scope) · \(kind.rawValue) · \(Self.short(before)) → \(Self.short(after))" }

    /// One line of at most 120 characters.
    static func short(_ text: String) -> String {
        let line = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        return line.count <= 120 ? line : line.prefix(119) + "…"
    }
}
