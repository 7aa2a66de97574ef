import Cassettes

/// The rule by which enumerations are told from other values: few different ones, repeated.
enum EnumerationRule {
    /// The most cases. 32: enumerations with more are lists of codes.
    static let mostCases = PathSurvey.mostValues - 1
    /// The times that each text is there on the average. 2: names and titles are seldom repeated, cases are.
    private static let textRepeats = 2
    /// The times that each whole number is there on the average. 3: small counts are repeated by chance.
    private static let wholeRepeats = 3
    /// The bound of raw values that are whole numbers. 256: counters and sizes are soon above it.
    static let wholeBound: Int64 = 256
    /// The bound of the rounded size of a text, in bytes: as long as a name in code.
    private static let longestText = 48

    /// - Parameter named: Key paths, or keys, that are versions, and those that are enumerations, too.
    static func enumerations(
        _ paths: [LintedPath], named versionKeys: Set<String>, _ enumerationKeys: Set<String>
    ) -> [Enumeration] {
        paths.compactMap { path in
            enumeration(
                path,
                isNamed: KeyWords.isVersion(path.path, versionKeys)
                    || KeyWords.isEnumeration(path.path, enumerationKeys))
        }
    }

    private static func enumeration(_ path: LintedPath, isNamed: Bool) -> Enumeration? {
        let types = Set(path.recordings.flatMap(\.survey.types.keys))
        let isWhole = types == ["integer"] || types == ["number"]
        guard types == ["string"] || isWhole, let first = path.recordings.first,
            let seen = first.survey.types.values.first
        else { return nil }
        var (distinct, isRepeated) = (0, false)
        for (_, survey) in path.recordings {
            guard !survey.values.isEmpty, survey.values.count <= mostCases,
                survey.values.keys.allSatisfy({ isRawValue(Leaf($0), isWhole: isWhole) })
            else { return nil }
            distinct = max(distinct, survey.values.count)
            let repeats = isWhole ? wholeRepeats : textRepeats
            isRepeated =
                isRepeated
                || survey.occurrences >= repeats * survey.values.count
                    && (!isWhole || survey.values.count > 1)
        }
        guard isNamed || isRepeated else { return nil }
        let kept = path.recordings.flatMap { $0.survey.values.keys.filter { Leaf($0).value != nil } }
        let count = path.recordings.flatMap { $0.survey.types.values }.reduce(0) { $0 + $1.count }
        return Enumeration(
            kind: path.kind, path: path.path, kept: Set(kept), distinct: distinct, isWhole: isWhole,
            cassette: first.cassette.cassette, seen: Seen(seen.first, count: count),
            isSure: isNamed || distinct > 1 && isRepeated)
    }

    /// True for a value that can be a raw value: a name, or a small number that is not negative.
    static func isRawValue(_ leaf: Leaf, isWhole: Bool) -> Bool {
        if isWhole {
            let size = leaf.value.flatMap { Int64($0) } ?? leaf.size.flatMap { Int64($0) }.map { $0 - 1 }
            return size.map { (0..<wholeBound).contains($0) } ?? false
        }
        if let value = leaf.value { return RedactionRules().isName(value) }
        return (leaf.size.flatMap { Int($0) } ?? .max) <= longestText
    }

    // MARK: - Findings

    /// Returns the values that a later recording has and earlier ones do not, where all values are shown.
    static func newValues(_ enumerations: [Enumeration], _ paths: [LintedPath]) -> [LintFinding] {
        enumerations.filter(\.isSure).compactMap { enumeration in
            guard let path = paths.first(where: { $0.kind == enumeration.kind && $0.path == enumeration.path }),
                let base = path.recordings.first, isShown(base.survey)
            else { return nil }
            for (cassette, survey) in path.recordings.dropFirst() where isShown(survey) {
                if let build = cassette.build, build == base.cassette.build { continue }
                let new = survey.values.keys.filter { base.survey.values[$0] == nil }.sorted()
                guard let first = new.first, let seen = survey.values[first] else { continue }
                let names = new.compactMap { Leaf($0).value.map { "“\($0)”" } }.joined(separator: ", ")
                return LintFinding(
                    .newRawValue, path.kind, path.path, in: cassette.cassette, seen,
                    "has the new \(new.count == 1 ? "value" : "values") \(names), which \(base.cassette.cassette) lacks"
                )
            }
            return nil
        }
    }

    private static func isShown(_ survey: PathSurvey) -> Bool {
        survey.values.keys.allSatisfy { Leaf($0).value != nil }
    }
}
