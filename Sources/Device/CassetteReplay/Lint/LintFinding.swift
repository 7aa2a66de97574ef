/// A place in recordings at which a rule is broken, told once with the number of times.
package struct LintFinding: Equatable, Sendable {
    package let rule: LintRule
    package let kind: LintKind
    /// The key path; empty for the whole content.
    package let path: String
    /// The class that the rule is about, as there can be several at one key path.
    package let className: String?
    /// The cassette of the first time, and the line of `events.jsonl` there.
    package let cassette: String
    package let event: Int
    /// The number of events.
    package let count: Int
    /// The observation in words.
    package let text: String

    package init(
        _ rule: LintRule, _ kind: LintKind, _ path: String, class className: String? = nil, in cassette: String,
        _ seen: Seen, _ text: String
    ) {
        (self.rule, self.kind, self.path, self.cassette, self.text) = (rule, kind, path, cassette, text)
        (event, count, self.className) = (seen.first, seen.count, className)
    }

    /// The text by which an expectation knows it, such as `phone message points type-differs`.
    package var name: String {
        [kind.description, path, className ?? "", rule.rawValue].filter { !$0.isEmpty }.joined(separator: " ")
    }
}
