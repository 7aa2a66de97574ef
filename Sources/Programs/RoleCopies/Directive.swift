/// A directive of conditional compilation.
enum Directive: String, CaseIterable {
    case ifTrue = "#if"
    case elseIf = "#elseif"
    case otherwise = "#else"
    case end = "#endif"

    var hasCondition: Bool { self == .ifTrue || self == .elseIf }
}
