/// The locations of the keys of a JSON5 text, and its repeated keys. Foundation parses the values, but reports neither.
struct ConfigurationText {
    /// A location in the text; line and column count from 1.
    struct Place: Equatable, Sendable {
        let line: Int
        let column: Int
    }

    /// A violation of JSON5, with its location.
    struct SyntaxError: Error, Equatable {
        let place: Place
        let reason: String
    }

    /// A key that its object already contains.
    struct Repetition: Equatable {
        let key: String
        let place: Place
        let first: Place
    }

    /// The maximum nesting of objects and lists. 32: a configuration has four.
    private static let maximumDepth = 32

    /// The locations of keys and of the elements of lists, by the keys that lead there, joined by dots, with indices in
    /// brackets: “faults[0].kind”.
    private(set) var places: [String: Place] = [:]
    private(set) var repetitions: [Repetition] = []
    /// The text of each number, true, false and null, by the same keys: for messages that quote the given value.
    private(set) var words: [String: String] = [:]

    private let text: [Unicode.Scalar]
    private var position = 0
    private var place = Place(line: 1, column: 1)

    init(_ text: String) throws(SyntaxError) {
        self.text = Array(text.unicodeScalars)
        try skipBlanks()
        try value("", depth: 0)
        try skipBlanks()
        if let more = current { throw wrong("unexpected “\(more)” after the value") }
    }

    // MARK: - Characters

    private var current: Unicode.Scalar? { position < text.count ? text[position] : nil }

    private mutating func advance() {
        let isEndOfLine = text[position] == "\n"
        place =
            isEndOfLine ? Place(line: place.line + 1, column: 1) : Place(line: place.line, column: place.column + 1)
        position += 1
    }

    private mutating func take(_ expected: Unicode.Scalar) -> Bool {
        guard current == expected else { return false }
        advance()
        return true
    }

    private func wrong(_ reason: String, at place: Place? = nil) -> SyntaxError {
        SyntaxError(place: place ?? self.place, reason: reason)
    }

    /// A description of the current character for a message.
    private var found: String {
        current.map { $0 == "\n" ? "the end of the line" : "“\($0)”" } ?? "the end of the file"
    }

    /// Skips blanks and comments.
    private mutating func skipBlanks() throws(SyntaxError) {
        while let scalar = current {
            if scalar.properties.isWhitespace || scalar == "\u{FEFF}" {
                advance()
            } else if scalar == "/" {
                try skipComment()
            } else {
                return
            }
        }
    }

    private mutating func skipComment() throws(SyntaxError) {
        let start = place
        advance()
        if take("/") {
            while current.map({ $0 != "\n" }) ?? false { advance() }
        } else if take("*") {
            while !(take("*") && current == "/") {
                guard current != nil else { throw wrong("the comment is not terminated", at: start) }
                if current != "*" { advance() }
            }
            advance()
        } else {
            throw wrong("unexpected “/”; a comment begins with // or /*", at: start)
        }
    }

    // MARK: - Values

    private mutating func value(_ path: String, depth: Int) throws(SyntaxError) {
        guard depth <= Self.maximumDepth else {
            throw wrong("objects and lists are nested more than \(Self.maximumDepth) deep")
        }
        switch current {
        case "{": try object(path, depth)
        case "[": try list(path, depth)
        case "\"", "'": _ = try string()
        default: words[path] = try word()
        }
    }

    private mutating func object(_ path: String, _ depth: Int) throws(SyntaxError) {
        let start = place
        var own: [String: Place] = [:]
        advance()
        while true {
            try skipBlanks()
            if take("}") { return }
            let keyPlace = place
            let key = try key(of: start)
            let full = path.isEmpty ? key : "\(path).\(key)"
            if let first = own[key] {
                repetitions.append(Repetition(key: full, place: keyPlace, first: first))
            } else {
                own[key] = keyPlace
                places[full] = keyPlace
            }
            try skipBlanks()
            guard take(":") else { throw wrong("expected “:” after “\(key)”, not \(found)") }
            try skipBlanks()
            try value(full, depth: depth + 1)
            try skipBlanks()
            guard take(",") || current == "}" else { throw missingEnd("}", of: "object", start) }
        }
    }

    private mutating func list(_ path: String, _ depth: Int) throws(SyntaxError) {
        let start = place
        var count = 0
        advance()
        while true {
            try skipBlanks()
            if take("]") { return }
            let full = "\(path)[\(count)]"
            places[full] = place
            try value(full, depth: depth + 1)
            count += 1
            try skipBlanks()
            guard take(",") || current == "]" else { throw missingEnd("]", of: "list", start) }
        }
    }

    private func missingEnd(_ end: String, of what: String, _ start: Place) -> SyntaxError {
        guard current != nil else { return wrong("the \(what) that begins on line \(start.line) is not closed") }
        return wrong("expected “,” or “\(end)”, not \(found)")
    }

    private mutating func key(of start: Place) throws(SyntaxError) -> String {
        guard let first = current else { throw missingEnd("}", of: "object", start) }
        if first == "\"" || first == "'" { return try string() }
        var key = ""
        while let scalar = current, Self.isInName(scalar) {
            key.unicodeScalars.append(scalar)
            advance()
        }
        guard let first = key.unicodeScalars.first, first.properties.numericType == nil else {
            throw wrong("expected a key, not \(found)")
        }
        return key
    }

    /// Reads a number, or one of the literals true, false and null.
    private mutating func word() throws(SyntaxError) -> String {
        let start = place
        var word = ""
        while let scalar = current, Self.isInName(scalar) || "+-.".unicodeScalars.contains(scalar) {
            word.unicodeScalars.append(scalar)
            advance()
        }
        guard !word.isEmpty else { throw wrong("expected a value, not \(found)") }
        guard Self.literals.contains(word) || Self.isNumber(word) else {
            throw wrong("“\(word)” is not a value; put strings in quotation marks", at: start)
        }
        return word
    }

    private static let literals: Set = ["true", "false", "null"]

    /// Returns true for text that looks like a number; the caller that reads the value reports errors in it.
    private static func isNumber(_ word: String) -> Bool {
        let digits = word.drop { $0 == "+" || $0 == "-" }
        return digits == "Infinity" || digits == "NaN" || digits.first.map { $0.isNumber || $0 == "." } == true
    }

    private static func isInName(_ scalar: Unicode.Scalar) -> Bool {
        scalar == "_" || scalar == "$" || scalar.properties.isAlphabetic || scalar.properties.numericType != nil
    }

    private mutating func string() throws(SyntaxError) -> String {
        let start = place
        let quote = current
        var text = ""
        advance()
        while let scalar = current, scalar != quote {
            guard scalar != "\n" else { throw wrong("the string from column \(start.column) is not terminated") }
            advance()
            if scalar == "\\" {
                try escape(into: &text)
            } else {
                text.unicodeScalars.append(scalar)
            }
        }
        guard current != nil else { throw wrong("the string that begins here is not terminated", at: start) }
        advance()
        return text
    }

    /// Reads an escape sequence after its backslash. Keys are compared by their meaning, not their notation.
    private mutating func escape(into text: inout String) throws(SyntaxError) {
        guard let scalar = current else { return }
        let start = place
        advance()
        guard scalar == "u" || scalar == "x" else {
            if scalar != "\n" { text.unicodeScalars.append(scalar) }
            return
        }
        var digits = ""
        while digits.count < (scalar == "u" ? 4 : 2), let digit = current, digit.properties.isHexDigit {
            digits.unicodeScalars.append(digit)
            advance()
        }
        if digits.allSatisfy({ $0 == "0" }) { throw wrong("“\\\(scalar)\(digits)” is not a valid escape", at: start) }
        if let code = UInt32(digits, radix: 16), let meant = Unicode.Scalar(code) { text.unicodeScalars.append(meant) }
    }
}
