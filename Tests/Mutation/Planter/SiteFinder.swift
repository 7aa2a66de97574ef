import SwiftOperators
import SwiftParser
import SwiftSyntax

/// Finds the places of one file at which a fault can be planted.
///
/// Text within string literals, attributes and macros is left alone, as are log calls and checks for mistakes of a programmer: a test that
/// held each of them would only repeat the source.
final class SiteFinder: SyntaxVisitor {
    private let path: String
    private let text: [UInt8]
    private let siblings: [String: String]
    private let converter: SourceLocationConverter
    private(set) var sites: [Site] = []
    private var scopes: [String] = []
    /// The error types of the functions around a place that name one; the innermost function decides.
    private var thrown: [String?] = []

    /// - Parameter siblings: for each case without payload that one enum alone has, the case that takes its place.
    init(path: String, text: String, siblings: [String: String]) {
        self.path = path
        self.text = Array(text.utf8)
        self.siblings = siblings
        let parsed = Parser.parse(source: text)
        let folded = OperatorTable.standardOperators.foldAll(parsed) { _ in }
        converter = SourceLocationConverter(fileName: path, tree: folded)
        super.init(viewMode: .sourceAccurate)
        walk(folded)
    }

    // MARK: - Places that are left alone

    override func visit(_: StringLiteralExprSyntax) -> SyntaxVisitorContinueKind { .skipChildren }
    override func visit(_: AttributeSyntax) -> SyntaxVisitorContinueKind { .skipChildren }
    override func visit(_: MacroExpansionExprSyntax) -> SyntaxVisitorContinueKind { .skipChildren }
    override func visit(_: EnumCaseDeclSyntax) -> SyntaxVisitorContinueKind { .skipChildren }
    override func visit(_: ImportDeclSyntax) -> SyntaxVisitorContinueKind { .skipChildren }
    override func visit(_: OperatorDeclSyntax) -> SyntaxVisitorContinueKind { .skipChildren }
    override func visit(_: SwitchCaseLabelSyntax) -> SyntaxVisitorContinueKind { .skipChildren }

    override func visit(_ node: IfConfigClauseSyntax) -> SyntaxVisitorContinueKind {
        if let elements = node.elements { walk(elements) }
        return .skipChildren
    }

    override func visit(_ node: PatternExprSyntax) -> SyntaxVisitorContinueKind { .skipChildren }

    // MARK: - Names of what is around a place

    override func visit(_ node: FunctionDeclSyntax) -> SyntaxVisitorContinueKind {
        let labels = node.signature.parameterClause.parameters.map { $0.firstName.text + ":" }.joined()
        thrown.append(node.signature.effectSpecifiers?.throwsClause?.type?.trimmedDescription)
        return enter("\(node.name.text)(\(labels))")
    }
    override func visitPost(_: FunctionDeclSyntax) { leave() }

    override func visit(_ node: InitializerDeclSyntax) -> SyntaxVisitorContinueKind {
        let labels = node.signature.parameterClause.parameters.map { $0.firstName.text + ":" }.joined()
        thrown.append(node.signature.effectSpecifiers?.throwsClause?.type?.trimmedDescription)
        return enter("init(\(labels))")
    }
    override func visitPost(_: InitializerDeclSyntax) { leave() }

    override func visit(_ node: ExtensionDeclSyntax) -> SyntaxVisitorContinueKind {
        enter(node.extendedType.trimmedDescription)
    }
    override func visitPost(_: ExtensionDeclSyntax) { scopes.removeLast() }
    override func visit(_ node: StructDeclSyntax) -> SyntaxVisitorContinueKind { enter(node.name.text) }
    override func visitPost(_: StructDeclSyntax) { scopes.removeLast() }
    override func visit(_ node: ClassDeclSyntax) -> SyntaxVisitorContinueKind { enter(node.name.text) }
    override func visitPost(_: ClassDeclSyntax) { scopes.removeLast() }
    override func visit(_ node: ActorDeclSyntax) -> SyntaxVisitorContinueKind { enter(node.name.text) }
    override func visitPost(_: ActorDeclSyntax) { scopes.removeLast() }
    override func visit(_ node: EnumDeclSyntax) -> SyntaxVisitorContinueKind { enter(node.name.text) }
    override func visitPost(_: EnumDeclSyntax) { scopes.removeLast() }

    override func visit(_ node: VariableDeclSyntax) -> SyntaxVisitorContinueKind {
        enter(node.bindings.first?.pattern.trimmedDescription ?? "_")
    }
    override func visitPost(_: VariableDeclSyntax) { scopes.removeLast() }

    private func leave() {
        scopes.removeLast()
        thrown.removeLast()
    }

    private func enter(_ name: String) -> SyntaxVisitorContinueKind {
        scopes.append(name)
        return .visitChildren
    }

    // MARK: - Faults

    private static let flipped = [
        "<": ">=", ">=": "<", ">": "<=", "<=": ">", "==": "!=", "!=": "==", "===": "!==", "!==": "===", "&&": "||",
        "||": "&&",
    ]
    private static let shifted = ["<": "<=", "<=": "<", ">": ">=", ">=": ">"]

    override func visit(_ node: InfixOperatorExprSyntax) -> SyntaxVisitorContinueKind {
        guard let sign = node.operator.as(BinaryOperatorExprSyntax.self)?.operator.text else { return .visitChildren }
        let left = source(node.leftOperand)
        let right = source(node.rightOperand)
        let whole = "\(left) \(sign) \(right)"
        for (kind, table) in [(FaultKind.comparison, Self.flipped), (.bound, Self.shifted)] {
            guard let other = table[sign] else { continue }
            let after = "\(left) \(other) \(right)"
            add(kind, node, whole, after, choosing: "(\(after))", else: "(\(whole))")
        }
        if sign == "+" || sign == "-", let literal = node.rightOperand.as(IntegerLiteralExprSyntax.self),
            literal.literal.text == "1"
        {
            add(.bound, node, whole, left, choosing: "(\(left))", else: "(\(whole))")
        }
        return .visitChildren
    }

    override func visit(_ node: GuardStmtSyntax) -> SyntaxVisitorContinueKind {
        for element in node.conditions {
            guard case .expression(let condition) = element.condition else { continue }
            let text = source(condition)
            // `try` must stand before the operator.
            let (attempt, rest) = text.hasPrefix("try ") ? ("try ", String(text.dropFirst(4))) : ("", text)
            add(.guard, condition, text, "true", head: "\(attempt)(faultIsPlanted(", tail: ") || (\(rest)))")
        }
        return .visitChildren
    }

    override func visit(_ node: IfExprSyntax) -> SyntaxVisitorContinueKind {
        guard node.elseBody == nil, let last = node.body.statements.last?.item, leaves(last),
            node.parent?.is(ExpressionStmtSyntax.self) == true,
            let first = node.conditions.first, case .expression(let condition) = first.condition,
            node.conditions.count == 1
        else { return .visitChildren }
        let text = source(condition)
        add(.guard, condition, text, "false", head: "(!faultIsPlanted(", tail: ") && (\(text)))")
        return .visitChildren
    }

    /// An assertion checks the caller, in debug builds only.
    override func visit(_ node: FunctionCallExprSyntax) -> SyntaxVisitorContinueKind {
        node.calledExpression.trimmedDescription == "assert" ? .skipChildren : .visitChildren
    }

    override func visit(_ node: CodeBlockItemSyntax) -> SyntaxVisitorContinueKind {
        guard let block = node.parent?.as(CodeBlockItemListSyntax.self), !isValue(node, of: block) else {
            return .visitChildren
        }
        guard case .expr(let expression) = node.item else { return .visitChildren }
        let text = source(expression)
        if isCall(expression), !isQuiet(text) {
            add(.statement, expression, text, "", head: "if !faultIsPlanted(", tail: ") { \(text) }")
            if expression.is(TryExprSyntax.self), expression.as(TryExprSyntax.self)?.questionOrExclamationMark == nil,
                !text.contains(".bind(")
            {
                // Binding a value to a statement fails for lack of memory only.
                add(
                    .result, expression, text, "do { \(text) } catch {}",
                    head: "do \(thrown.last?.map { "throws(\($0)) " } ?? ""){ \(text) } catch { if !faultIsPlanted(",
                    tail: ") { throw error } }")
            }
        } else if let assignment = expression.as(InfixOperatorExprSyntax.self), isAssignment(assignment),
            assignment.leftOperand.trimmedDescription != "self", scopes.last?.hasPrefix("init(") != true
        {
            add(.statement, expression, text, "", head: "if !faultIsPlanted(", tail: ") { \(text) }")
            let value = source(assignment.rightOperand)
            if isCall(assignment.rightOperand), !value.contains("\n"),
                !assignment.leftOperand.is(DiscardAssignmentExprSyntax.self)
            {
                add(
                    .result, expression, text, "_ = \(value)", head: "if faultIsPlanted(",
                    tail: ") { _ = \(value) } else { \(text) }")
            }
        }
        return .visitChildren
    }

    override func visit(_ node: MemberAccessExprSyntax) -> SyntaxVisitorContinueKind {
        guard node.base == nil, node.parent?.is(FunctionCallExprSyntax.self) != true,
            node.parent?.is(MemberAccessExprSyntax.self) != true,
            let sibling = siblings[node.declName.baseName.text], !isPattern(Syntax(node))
        else { return .visitChildren }
        let text = source(node)
        add(.cases, node, text, ".\(sibling)", choosing: ".\(sibling)", else: text)
        return .visitChildren
    }

    override func visit(_ node: BooleanLiteralExprSyntax) -> SyntaxVisitorContinueKind {
        let text = source(node)
        let other = text == "true" ? "false" : "true"
        guard !isPattern(Syntax(node)) else { return .visitChildren }
        add(.cases, node, text, other, choosing: other, else: text)
        return .visitChildren
    }

    // MARK: - Kinds of nodes

    private func isCall(_ expression: ExprSyntax) -> Bool {
        if expression.is(FunctionCallExprSyntax.self) { return true }
        if let attempt = expression.as(TryExprSyntax.self) { return isCall(attempt.expression) }
        if let wait = expression.as(AwaitExprSyntax.self) { return isCall(wait.expression) }
        if let chain = expression.as(OptionalChainingExprSyntax.self) { return isCall(chain.expression) }
        return false
    }

    private func isAssignment(_ node: InfixOperatorExprSyntax) -> Bool {
        if node.operator.is(AssignmentExprSyntax.self) { return true }
        let sign = node.operator.as(BinaryOperatorExprSyntax.self)?.operator.text ?? ""
        return ["+=", "-=", "*=", "|=", "&=", "^=", "&+=", "&-="].contains(sign)
    }

    /// Returns true if the statement is its block's value: the only expression of a function, a getter, a closure or a branch that has a value.
    private func isValue(_ node: CodeBlockItemSyntax, of block: CodeBlockItemListSyntax) -> Bool {
        guard block.count == 1 else { return false }
        guard let owner = block.parent else { return true }
        if owner.is(ClosureExprSyntax.self) || owner.is(AccessorBlockSyntax.self) { return true }
        if owner.is(SwitchCaseSyntax.self) { return false }
        if let function = owner.parent?.as(FunctionDeclSyntax.self) { return function.signature.returnClause != nil }
        if owner.parent?.is(AccessorDeclSyntax.self) == true {
            return owner.parent?.as(AccessorDeclSyntax.self)?.accessorSpecifier.text == "get"
        }
        return false
    }

    private func leaves(_ item: CodeBlockItemSyntax.Item) -> Bool {
        guard case .stmt(let statement) = item else { return false }
        return statement.is(ReturnStmtSyntax.self) || statement.is(ThrowStmtSyntax.self)
            || statement.is(ContinueStmtSyntax.self)
            || statement.is(BreakStmtSyntax.self)
    }

    private func isPattern(_ node: Syntax) -> Bool {
        var current = node.parent
        while let ancestor = current {
            if ancestor.is(ExpressionPatternSyntax.self) || ancestor.is(SwitchCaseItemSyntax.self)
                || ancestor.is(MatchingPatternConditionSyntax.self)
            {
                return true
            }
            if ancestor.is(CodeBlockItemSyntax.self) { return false }
            current = ancestor.parent
        }
        return false
    }

    /// Returns true for log calls and for checks of programming errors.
    private func isQuiet(_ text: String) -> Bool {
        let call = (text.hasPrefix("try ") ? text.dropFirst(4) : text[...]).prefix { $0 != "(" }
        return [
            "log", "logger", "assert", "precondition", "preconditionFailure", "fatalError", "assertionFailure",
            "super.init", "self.init", "reserveCapacity",
        ]
        .contains {
            call == $0 || call.hasSuffix(".\($0)") || call.hasPrefix("\($0).") || call.contains(".\($0).")
                || call.contains(".\($0)?.")
        }
    }

    // MARK: - Writing sites down

    private func source(_ node: some SyntaxProtocol) -> String {
        let from = node.positionAfterSkippingLeadingTrivia.utf8Offset
        let to = node.endPositionBeforeTrailingTrivia.utf8Offset
        return String(decoding: text[from..<to], as: UTF8.self)
    }

    /// Adds a choice between two expressions. The first copy is put into one line, so that all lines stay where they are.
    private func add(
        _ kind: FaultKind, _ node: some SyntaxProtocol, _ before: String, _ after: String, choosing: String,
        else other: String
    ) {
        if choosing.contains("\n"), choosing.contains("{") || choosing.contains("//") { return }
        let inOneLine = choosing.replacing("\n", with: " ")
        add(kind, node, before, after, head: "(faultIsPlanted(", tail: ") ? \(inOneLine) : \(other))")
    }

    private func add(
        _ kind: FaultKind, _ node: some SyntaxProtocol, _ before: String, _ after: String, head: String, tail: String
    ) {
        let from = node.positionAfterSkippingLeadingTrivia
        let bytes = from.utf8Offset..<node.endPositionBeforeTrailingTrivia.utf8Offset
        sites.append(
            Site(
                kind: kind, path: path, scope: scopes.joined(separator: "."), line: converter.location(for: from).line,
                height: text[bytes].count { $0 == 0x0A }, bytes: bytes, before: before, after: after, head: head,
                tail: tail))
    }
}
