/// The rule that a receiver can know the version of what it gets.
enum VersionRule {
    /// - Parameter more: Key paths, or keys, that are versions, too.
    static func findings(_ cassettes: [CassetteSurvey], more: Set<String>) -> [LintFinding] {
        Set(cassettes.flatMap(\.kinds.keys)).sorted().compactMap { kind in
            let known = cassettes.filter { cassette in
                // Bytes that are no document, and dictionaries without keys, may have a version or not.
                cassette.kinds[kind]?.shapes.keys.contains { !$0.keys.isEmpty } == true
            }
            let paths = known.flatMap { $0.kinds[kind]?.paths.keys.map(\.self) ?? [] }
            guard let first = known.first, var seen = first.kinds[kind]?.seen,
                !paths.contains(where: { KeyWords.isVersion($0, more) })
            else { return nil }
            for other in known.dropFirst() { if let also = other.kinds[kind]?.seen { seen.count(also) } }
            return LintFinding(
                .noVersionKey, kind, "", in: first.cassette, seen,
                "no key says the version (\(seen.count == 1 ? "1 content" : "\(seen.count) contents"))")
        }
    }
}
