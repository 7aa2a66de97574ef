/// Decides the `#if` blocks of a source for a role: finds the code that remains, and the changes that make it remain.
struct ConditionalBlocks {
    /// The deepest nesting of `#if`. 128: people write four; each token looks at all that surround it.
    private static let maximumDepth = 128

    /// An `#if` that is not closed yet.
    private struct Block {
        /// The first byte of its `#if`.
        let start: Int
        /// False inside of code that was left out.
        let isReached: Bool
        /// True after a branch that is always taken: no other one is.
        var isSettled = false
        /// True if the compiler decides, so that the block's directives remain.
        var isOpen = false
        /// True after `#else`.
        var isLast = false
        /// True if one of the remaining conditions asks for a module.
        var asksForModule = false
        /// The beginning of the current branch if it is left out.
        var leftOut: Int?
    }

    private let source: SourceText
    private let tokens: [SourceToken]
    private let role: CopyRole
    private var blocks: [Block] = []

    /// The tokens that remain, with the directives that the compiler decides but without their conditions.
    private(set) var remaining: [SourceToken] = []
    private(set) var edits: [SourceEdit] = []

    init(_ source: SourceText, role: CopyRole) throws(CopyError) {
        self.source = source
        self.role = role
        tokens = try SourceLexer.tokens(of: source)
        remaining.reserveCapacity(tokens.count)
        var place = 0
        while place < tokens.count {
            if case .directive(let directive) = tokens[place].kind {
                place = try read(directive, at: place)
            } else {
                if isReached { keep(tokens[place]) }
                place += 1
            }
        }
        if let block = blocks.last {
            throw CopyError(line: source.line(of: block.start), message: "this #if is not closed; add #endif")
        }
    }

    private var isReached: Bool { blocks.last.map { $0.isReached && $0.leftOut == nil } ?? true }

    private mutating func keep(_ token: SourceToken, as kind: SourceToken.Kind? = nil) {
        var token = token
        token.isTentative = blocks.contains { $0.asksForModule }
        if let kind { token.kind = kind }
        remaining.append(token)
    }

    /// Reads a directive, and returns the number of the token after it and its condition.
    private mutating func read(_ directive: Directive, at place: Int) throws(CopyError) -> Int {
        let token = tokens[place]
        let start = token.range.lowerBound
        let condition =
            directive.hasCondition
            ? try ConditionParser.read(source, tokens, after: place, role: role)
            : ConditionParser.Result(condition: .constant(true), end: place + 1)
        let range = start..<tokens[condition.end - 1].range.upperBound
        if directive == .ifTrue {
            guard blocks.count < Self.maximumDepth else {
                throw CopyError(
                    line: source.line(of: start),
                    message:
                        "this #if is inside of \(blocks.count) others, and at most \(Self.maximumDepth) levels are read"
                )
            }
            blocks.append(Block(start: start, isReached: isReached))
        }
        guard var block = blocks.popLast() else { throw misplaced(directive, start, "has no #if before it") }
        if directive == .elseIf || directive == .otherwise {
            guard !block.isLast else { throw misplaced(directive, start, "comes after the #else of its #if") }
            block.isLast = directive == .otherwise
        }
        if block.isReached {
            if let first = block.leftOut { edits.append(SourceEdit(range: first..<start)) }
            block.leftOut = nil
            if directive == .end {
                close(block, token)
                return condition.end
            }
            if block.isSettled {
                block.leftOut = start
            } else {
                begin(directive, token, range, condition.condition, &block)
            }
        }
        if directive != .end { blocks.append(block) }
        return condition.end
    }

    /// Begins a branch after which others may follow.
    private mutating func begin(
        _ directive: Directive, _ token: SourceToken, _ range: Range<Int>, _ condition: Condition,
        _ block: inout Block
    ) {
        let simplified = condition.simplified
        switch simplified {
        case .constant(false):
            block.leftOut = range.lowerBound
        case .constant(true):
            block.isSettled = true
            if block.isOpen {
                edits.append(SourceEdit(range: range, replacement: Directive.otherwise.rawValue))
                blocks.append(block)
                keep(token, as: .directive(.otherwise))
                blocks.removeLast()
            } else {
                edits.append(SourceEdit(range: range))
            }
        case .open, .not, .all, .any:
            let remains: Directive = block.isOpen ? .elseIf : .ifTrue
            if simplified != condition || remains != directive {
                edits.append(SourceEdit(range: range, replacement: "\(remains.rawValue) \(simplified.text)"))
            }
            keep(token, as: .directive(remains))
            block.isOpen = true
            if simplified.text.contains("canImport") { block.asksForModule = true }
        }
    }

    private mutating func close(_ block: Block, _ token: SourceToken) {
        if block.isOpen {
            keep(token)
        } else {
            edits.append(SourceEdit(range: token.range))
        }
    }

    private func misplaced(_ directive: Directive, _ start: Int, _ problem: String) -> CopyError {
        CopyError(
            line: source.line(of: start),
            message: "\(directive.rawValue) \(problem); compare it with the directives above")
    }
}
