/// The level of a rule for recorded contents, the severest first: what stops working when an old and a new build meet.
package enum LintLevel: String, CaseIterable, Comparable, Sendable {
    /// One build cannot decode what the other sends.
    case decodes
    /// It can, and takes it for something else, or cannot know what it is.
    case meaning
    /// Only the names in the sources suffer.
    case source

    private var mildness: Int { Self.allCases.firstIndex(of: self) ?? 0 }

    /// A severer level is greater.
    package static func < (first: LintLevel, second: LintLevel) -> Bool { first.mildness > second.mildness }
}
