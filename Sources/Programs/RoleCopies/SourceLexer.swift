/// Divides Swift source into tokens, so that nothing in a comment or a literal is taken for code.
///
/// A literal that is not closed ends with its line, or with the file if it may span lines: the compiler reports it.
struct SourceLexer {
    let source: SourceText
    private let bytes: [UInt8]
    private var place = 0
    private var startsLine = true
    private var tokens: [SourceToken] = []

    init(_ source: SourceText) {
        self.source = source
        bytes = source.bytes
    }

    /// Returns the tokens of a source.
    static func tokens(of source: SourceText) throws(CopyError) -> [SourceToken] {
        var lexer = SourceLexer(source)
        return try lexer.readAll()
    }

    private mutating func readAll() throws(CopyError) -> [SourceToken] {
        var literals = LiteralLexer(source)
        if bytes.starts(with: Array("#!".utf8)) { place = literals.endOfLine(0) }
        while place < bytes.count {
            if let end = try literals.endOfSpace(place) {
                if bytes[place..<end].contains(where: SourceText.isLineEnd) { startsLine = true }
                place = end
            } else if let end = try literals.endOfLiteral(place, canStartRegex: canStartRegex) {
                add(.literal, end)
            } else {
                readCode()
            }
        }
        return tokens
    }

    private mutating func add(_ kind: SourceToken.Kind, _ end: Int) {
        tokens.append(SourceToken(kind: kind, range: place..<end, startsLine: startsLine))
        startsLine = false
        place = end
    }

    private mutating func readCode() {
        let byte = bytes[place]
        if Self.isWordByte(byte) {
            add(.word, endOfWord(place))
        } else if byte == UInt8(ascii: "`") {
            // Names in backticks may contain anything but a line end.
            var end = place + 1
            while end < bytes.count, bytes[end] != byte, !SourceText.isLineEnd(bytes[end]) { end += 1 }
            add(.word, min(bytes.count, end + 1))
        } else if byte == UInt8(ascii: "#"), place + 1 < bytes.count, Self.isWordByte(bytes[place + 1]) {
            let end = endOfWord(place + 1)
            let directive = Directive.allCases.first { bytes[place..<end].elementsEqual($0.rawValue.utf8) }
            add(directive.map { .directive($0) } ?? .poundWord, end)
        } else if Self.isSymbolByte(byte) {
            add(.symbol, endOfSymbol(place))
        } else if byte == UInt8(ascii: "#") {
            // All at once: each is examined as the beginning of a raw string.
            var end = place + 1
            while end < bytes.count, bytes[end] == byte { end += 1 }
            add(.mark, end)
        } else {
            add(.mark, place + 1)
        }
    }

    private func endOfWord(_ start: Int) -> Int {
        var end = start
        while end < bytes.count, Self.isWordByte(bytes[end]) { end += 1 }
        return end
    }

    /// A symbol ends where a comment begins.
    private func endOfSymbol(_ start: Int) -> Int {
        var end = start + 1
        while end < bytes.count, Self.isSymbolByte(bytes[end]) {
            if bytes[end] == UInt8(ascii: "/"), end + 1 < bytes.count,
                bytes[end + 1] == UInt8(ascii: "/") || bytes[end + 1] == UInt8(ascii: "*")
            {
                break
            }
            // Symbols contain dots only if they begin with one.
            if bytes[end] == UInt8(ascii: "."), bytes[start] != UInt8(ascii: ".") { break }
            end += 1
        }
        return end
    }

    static func isWordByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "$"), 0x80...:
            true
        default: false
        }
    }

    static func isSymbolByte(_ byte: UInt8) -> Bool { "/=-+!*%<>&|^~?.".utf8.contains(byte) }

    /// True where a slash can begin a regular expression: not after an operand, where it divides.
    private var canStartRegex: Bool {
        guard let last = tokens.last else { return true }
        switch last.kind {
        case .literal, .poundWord: return false
        case .directive: return true
        case .word: return Self.beforeOperand.contains(source.text(last))
        case .mark: return !")]}".utf8.contains(bytes[last.range.lowerBound])
        // The slash is not a part of the symbol, and thus has space before it.
        case .symbol: return true
        }
    }

    /// The keywords that an operand can follow.
    private static let beforeOperand: Set = [
        "return", "in", "case", "where", "if", "guard", "while", "try", "await", "throw", "else", "switch", "is", "as",
        "yield", "do", "default", "repeat", "consume", "borrowing",
    ]
}
