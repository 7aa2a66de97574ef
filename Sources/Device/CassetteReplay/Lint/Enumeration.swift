/// A key path whose values are those of an enumeration.
package struct Enumeration: Equatable, Sendable {
    package let kind: LintKind
    package let path: String
    /// The values that are shown, as leaves such as `string=novel`.
    package let kept: Set<String>
    /// The number of different values in the recording that has most.
    package let distinct: Int
    package let isWhole: Bool
    /// The recordings' first.
    package let cassette: String
    package let seen: Seen
    /// False if one value was seen, and its key does not say that it is one of a few.
    let isSure: Bool

    /// A leaf of the same type with a value that was not seen, as a later build may send it.
    package var unseen: String {
        if isWhole {
            // The next one: a new case most often is.
            let most = kept.compactMap { Leaf($0).value.flatMap { Int64($0) } }.max()
            return "integer=\(most.map { $0 < .max ? $0 + 1 : $0 - 1 } ?? EnumerationRule.wholeBound)"
        }
        var name = "watchlink-unseen"
        while kept.contains("string=\(name)") { name += "-2" }
        return "string=\(name)"
    }

    /// The most values that are shown. 5: they are only to be recognised.
    private static let mostShown = 5

    /// The note that no build got an unknown value of it.
    package var untested: LintFinding {
        LintFinding(
            .untestedEnumeration, kind, path, in: cassette, seen,
            "behaves as an enumeration (\(values)), and no build was tried with an unknown value")
    }

    private var values: String {
        guard !kept.isEmpty else { return "\(distinct) hidden \(distinct == 1 ? "value" : "values")" }
        let shown = kept.sorted().prefix(Self.mostShown).compactMap { Leaf($0).value.map { "“\($0)”" } }
        return shown.joined(separator: ", ") + (kept.count > Self.mostShown ? " …" : "")
    }
}
