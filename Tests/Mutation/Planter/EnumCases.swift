import SwiftParser
import SwiftSyntax

/// The cases without a payload of all enums of some files.
final class EnumCases: SyntaxVisitor {
    private var enums: [[String]] = []

    init(_ texts: [String]) {
        super.init(viewMode: .sourceAccurate)
        for text in texts { walk(Parser.parse(source: text)) }
    }

    override func visit(_ node: EnumDeclSyntax) -> SyntaxVisitorContinueKind {
        enums.append(
            node.memberBlock.members.flatMap { member in
                member.decl.as(EnumCaseDeclSyntax.self)?.elements.filter { $0.parameterClause == nil }.map(\.name.text)
                    ?? []
            })
        return .visitChildren
    }

    /// For each case that one enum alone has, the case after it, or the first after the last.
    var siblings: [String: String] {
        let owners = Dictionary(grouping: enums.flatMap { cases in cases.map { ($0, cases) } }, by: \.0)
        return owners.compactMapValues { owners in
            guard owners.count == 1, let (name, cases) = owners.first, cases.count > 1,
                let place = cases.firstIndex(of: name)
            else { return nil }
            return cases[(place + 1) % cases.count]
        }
    }
}
