/// The rules for contents, over all cassettes: what will hurt when an old and a new build of both apps meet.
package struct CassetteLint: Sendable {
    /// The findings that need no build, the severest first.
    package let findings: [LintFinding]
    /// The enumerations, to be tried with builds.
    package let enumerations: [Enumeration]

    /// - Parameters:
    ///   - cassettes: The cassettes; the earliest are taken for the oldest builds.
    ///   - versionKeys: Key paths, or keys, that say a version, beside ``KeyWords``.
    ///   - enumerationKeys: Key paths, or keys, whose values are those of enumerations, beside ``KeyWords``.
    package init(
        _ cassettes: [CassetteSurvey], versionKeys: Set<String> = [], enumerationKeys: Set<String> = []
    ) {
        // Recordings in virtual time all begin at one moment; they stay in the order in which they are given.
        let cassettes = cassettes.enumerated()
            .sorted { ($0.element.started, $0.offset) < ($1.element.started, $1.offset) }.map(\.element)
        let paths = LintedPath.all(cassettes)
        enumerations = EnumerationRule.enumerations(paths, named: versionKeys, enumerationKeys)
        findings = Self.sorted(
            TypeRule.findings(paths) + TypeRule.unsupported(cassettes) + ClassRule.findings(cassettes, paths)
                + RequiredKeyRule.findings(cassettes) + VersionRule.findings(cassettes, more: versionKeys)
                + EnumerationRule.newValues(enumerations, paths) + SpellingRule.findings(paths))
    }

    /// Returns findings in the order in which they are told: the severest level first, notes last; each name once.
    package static func sorted(_ findings: [LintFinding]) -> [LintFinding] {
        var names: Set<String> = []
        return findings.filter { names.insert($0.name).inserted }.enumerated().sorted { first, second in
            if first.element.rule.isNote != second.element.rule.isNote { return second.element.rule.isNote }
            let (level, other) = (first.element.rule.level, second.element.rule.level)
            return level == other ? first.offset < second.offset : level > other
        }.map(\.element)
    }
}
