/// Finds the ends of literals, comments and white space.
struct LiteralLexer {
    /// The deepest nesting of interpolations in interpolations. 32: people write two; each level is a recursion.
    private static let maximumDepth = 32

    private let source: SourceText
    private let bytes: [UInt8]
    private var depth = 0
    /// The end of the line on which a slash began nothing: another one there is not examined, so that no line is read
    /// again for each of its slashes.
    private var slashesEnd = 0

    init(_ source: SourceText) {
        self.source = source
        bytes = source.bytes
    }

    private func has(_ text: StaticString, at place: Int) -> Bool {
        let count = text.utf8CodeUnitCount
        guard place + count <= bytes.count else { return false }
        return text.withUTF8Buffer { bytes[place..<place + count].elementsEqual($0) }
    }

    private func count(of byte: UInt8, at place: Int) -> Int {
        var end = place
        while end < bytes.count, bytes[end] == byte { end += 1 }
        return end - place
    }

    // MARK: - Space

    func endOfLine(_ start: Int) -> Int {
        var end = start
        while end < bytes.count, !SourceText.isLineEnd(bytes[end]) { end += 1 }
        return end
    }

    /// Returns the end of the white space or the comment at a place; nil if there is none.
    func endOfSpace(_ start: Int) throws(CopyError) -> Int? {
        switch bytes[start] {
        // NUL, tab, LF, VT, FF, CR and space, as the compiler skips them.
        case 0, 9...13, 32: return start + 1
        case UInt8(ascii: "/"): break
        default: return nil
        }
        if has("//", at: start) { return endOfLine(start) }
        guard has("/*", at: start) else { return nil }
        var (end, open) = (start + 2, 1)
        while open > 0 {
            guard end < bytes.count else {
                throw CopyError(line: source.line(of: start), message: "this comment is not closed; add */")
            }
            if has("/*", at: end) {
                (end, open) = (end + 2, open + 1)
            } else if has("*/", at: end) {
                (end, open) = (end + 2, open - 1)
            } else {
                end += 1
            }
        }
        return end
    }

    // MARK: - Literals

    /// Returns the end of the literal at a place; nil if there is none.
    mutating func endOfLiteral(_ start: Int, canStartRegex: @autoclosure () -> Bool) throws(CopyError) -> Int? {
        guard [UInt8(ascii: "#"), UInt8(ascii: "\""), UInt8(ascii: "/")].contains(bytes[start]) else { return nil }
        let hashes = count(of: UInt8(ascii: "#"), at: start)
        let quote = start + hashes
        guard quote < bytes.count else { return nil }
        if bytes[quote] == UInt8(ascii: "\"") {
            return try endOfString(quote, hashes)
        }
        guard bytes[quote] == UInt8(ascii: "/") else { return nil }
        guard quote >= slashesEnd, hashes > 0 || canStartRegex() else { return nil }
        let end = hashes > 0 ? endOfExtendedRegex(quote, hashes) : endOfRegex(quote)
        if end == nil, hashes > 0 { slashesEnd = endOfLine(quote) }
        return end
    }

    private mutating func endOfString(_ quote: Int, _ hashes: Int) throws(CopyError) -> Int {
        depth += 1
        defer { depth -= 1 }
        guard depth <= Self.maximumDepth else {
            throw CopyError(
                line: source.line(of: quote),
                message:
                    "strings are nested in interpolations \(depth) deep, and at most \(Self.maximumDepth) are read; "
                    + "give a part of it a name")
        }
        let isMultiline = has("\"\"\"", at: quote) && !isClosedAtOnce(quote, hashes)
        var end = quote + (isMultiline ? 3 : 1)
        while end < bytes.count {
            let byte = bytes[end]
            if byte == UInt8(ascii: "\\"), count(of: UInt8(ascii: "#"), at: end + 1) >= hashes {
                let escaped = end + 1 + hashes
                guard escaped < bytes.count else { return bytes.count }
                if bytes[escaped] == UInt8(ascii: "(") {
                    end = try endOfInterpolation(escaped + 1)
                } else {
                    // An escaped line end ends a string of one line.
                    end = SourceText.isLineEnd(bytes[escaped]) ? escaped : escaped + 1
                }
            } else if byte == UInt8(ascii: "\""), !isMultiline || has("\"\"\"", at: end) {
                let after = end + (isMultiline ? 3 : 1)
                if count(of: UInt8(ascii: "#"), at: after) >= hashes { return after + hashes }
                end += 1
            } else if SourceText.isLineEnd(byte), !isMultiline {
                return end
            } else {
                end += 1
            }
        }
        return bytes.count
    }

    /// Returns true for `#"""#` and the like: a raw string of one line that contains quotation marks at its beginning.
    private func isClosedAtOnce(_ quote: Int, _ hashes: Int) -> Bool {
        guard hashes > 0 else { return false }
        return ((quote + 2)..<endOfLine(quote)).contains {
            bytes[$0] == UInt8(ascii: "\"") && count(of: UInt8(ascii: "#"), at: $0 + 1) >= hashes
        }
    }

    /// Returns the place after the closing parenthesis of an interpolation.
    private mutating func endOfInterpolation(_ start: Int) throws(CopyError) -> Int {
        var (end, open) = (start, 1)
        while end < bytes.count {
            if let space = try endOfSpace(end) {
                end = space
            } else if let literal = try endOfLiteral(end, canStartRegex: false) {
                end = literal
            } else {
                if bytes[end] == UInt8(ascii: "(") { open += 1 }
                if bytes[end] == UInt8(ascii: ")") { open -= 1 }
                end += max(1, count(of: UInt8(ascii: "#"), at: end))
                if open == 0 { return end }
            }
        }
        return bytes.count
    }

    /// Returns the end of `#/…/#`, which may span lines if nothing follows its beginning.
    private func endOfExtendedRegex(_ slash: Int, _ hashes: Int) -> Int? {
        var end = slash + 1
        while end < bytes.count, bytes[end] == 32 || bytes[end] == 9 { end += 1 }
        let isMultiline = end < bytes.count && SourceText.isLineEnd(bytes[end])
        while end < bytes.count {
            if bytes[end] == UInt8(ascii: "\\") {
                end += 2
            } else if bytes[end] == UInt8(ascii: "/"), count(of: UInt8(ascii: "#"), at: end + 1) >= hashes {
                return end + 1 + hashes
            } else if SourceText.isLineEnd(bytes[end]), !isMultiline {
                return nil
            } else {
                end += 1
            }
        }
        return isMultiline ? bytes.count : nil
    }

    /// Returns the end of `/…/`; nil if this slash is an operator: a space follows it, its line has no second one, or
    /// a parenthesis closes that it did not open.
    private mutating func endOfRegex(_ slash: Int) -> Int? {
        var (end, groups) = (slash + 1, 0)
        guard end < bytes.count, ![32, 9, UInt8(ascii: "/"), UInt8(ascii: "*")].contains(bytes[end]) else { return nil }
        while end < bytes.count, !SourceText.isLineEnd(bytes[end]) {
            switch bytes[end] {
            case UInt8(ascii: "/"): return end + 1
            case UInt8(ascii: "\\"): end += 1
            case UInt8(ascii: "("): groups += 1
            case UInt8(ascii: ")"):
                groups -= 1
                if groups < 0 { return nil }
            default: break
            }
            end += 1
        }
        slashesEnd = end
        return nil
    }
}
