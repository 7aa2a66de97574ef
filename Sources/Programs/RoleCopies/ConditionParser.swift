/// Reads the condition of a directive.
struct ConditionParser {
    /// The deepest nesting of parentheses and negations. 64: people write three; each level is a recursion.
    private static let maximumDepth = 64

    private let source: SourceText
    private let tokens: [SourceToken]
    private let role: CopyRole
    private var place: Int
    private var depth = 0

    /// A condition, and the number of the token after it.
    struct Result {
        let condition: Condition
        let end: Int
    }

    /// Reads the condition after a directive. What is not understood is left for the compiler as it is.
    static func read(
        _ source: SourceText, _ tokens: [SourceToken], after directive: Int, role: CopyRole
    ) throws(CopyError) -> Result {
        var parser = ConditionParser(source: source, tokens: tokens, role: role, place: directive + 1)
        if parser.isOnLine, let condition = try parser.any(), !parser.isBeforeOperator {
            return Result(condition: condition, end: parser.place)
        }
        parser.place = directive + 1
        while parser.isOnLine { parser.place += 1 }
        let range = tokens[directive].range.upperBound..<tokens[parser.place - 1].range.upperBound
        return Result(condition: .open(source.text(range).trimmingSpaces), end: parser.place)
    }

    private init(source: SourceText, tokens: [SourceToken], role: CopyRole, place: Int) {
        self.source = source
        self.tokens = tokens
        self.role = role
        self.place = place
    }

    private var current: SourceToken? { place < tokens.count ? tokens[place] : nil }

    /// True if the current token is on the line of the one before.
    private var isOnLine: Bool { current.map { !$0.startsLine } ?? false }

    /// True before an operator that conditions do not have; `.` begins the code of a postfix expression.
    private var isBeforeOperator: Bool {
        guard isOnLine, let current, current.kind == .symbol else { return false }
        return source.bytes[current.range.lowerBound] != UInt8(ascii: ".")
    }

    private mutating func takes(_ text: StaticString) -> Bool {
        guard let current, source.matches(current, text) else { return false }
        place += 1
        return true
    }

    private mutating func any() throws(CopyError) -> Condition? {
        guard var condition = try all() else { return nil }
        while takes("||") {
            guard let next = try all() else { return nil }
            condition = .any(condition, next)
        }
        return condition
    }

    private mutating func all() throws(CopyError) -> Condition? {
        guard var condition = try single() else { return nil }
        while takes("&&") {
            guard let next = try single() else { return nil }
            condition = .all(condition, next)
        }
        return condition
    }

    private mutating func single() throws(CopyError) -> Condition? {
        depth += 1
        defer { depth -= 1 }
        guard depth <= Self.maximumDepth else {
            throw CopyError(
                line: current.map { source.line(of: $0.range.lowerBound) } ?? 1,
                message: "this condition is nested \(depth) deep, and at most \(Self.maximumDepth) levels are read; "
                    + "divide it among several #if")
        }
        if takes("!") { return try single().map { .not($0) } }
        if takes("(") {
            guard let inner = try any(), takes(")") else { return nil }
            return inner
        }
        return atom()
    }

    private mutating func atom() -> Condition? {
        guard let name = current, name.kind == .word else { return nil }
        place += 1
        if source.matches(name, "true") { return .constant(true) }
        if source.matches(name, "false") { return .constant(false) }
        let arguments = place
        guard isOnLine, takes("(") else { return .open(source.text(name)) }
        var open = 1
        while open > 0 {
            guard let current else { return nil }
            if source.matches(current, "(") { open += 1 }
            if source.matches(current, ")") { open -= 1 }
            place += 1
        }
        if source.matches(name, "os"), place == arguments + 3 {
            return .constant(source.text(tokens[arguments + 1]) == role.system)
        }
        if source.matches(name, "canImport"), place == arguments + 3,
            LinuxModules.certain.contains(source.text(tokens[arguments + 1]))
        {
            return .constant(true)
        }
        // On one line, as a directive with more than one is not possible everywhere.
        let pieces = source.text(name.range.lowerBound..<tokens[place - 1].range.upperBound)
            .split(whereSeparator: \.isNewline)
        return .open(pieces.map { String($0).trimmingSpaces }.joined(separator: " "))
    }
}

extension String {
    fileprivate var trimmingSpaces: String {
        let spaces: Set<Character> = [" ", "\t"]
        let start = drop { spaces.contains($0) }
        let count = start.reversed().prefix { spaces.contains($0) }.count
        return String(start.dropLast(count))
    }
}
