/// The rule that one name has one spelling, in all kinds and cassettes.
enum SpellingRule {
    private struct Use {
        let kind: LintKind
        let path: String
        let cassette: String
        var seen: Seen
    }

    static func findings(_ paths: [LintedPath]) -> [LintFinding] {
        var spellings: [String: [String: Use]] = [:]
        for path in paths {
            guard let recording = path.recordings.first else { continue }
            let key = recording.survey.key
            let plain = KeyWords.plain(key)
            guard !plain.isEmpty,
                let first = recording.survey.types.values.min(by: { $0.first < $1.first })
            else { continue }
            let count = path.recordings.flatMap { $0.survey.types.values }.reduce(0) { $0 + $1.count }
            let use = Use(
                kind: path.kind, path: path.path, cassette: recording.cassette.cassette,
                seen: Seen(first.first, count: count))
            if spellings[plain]?[key] == nil {
                spellings[plain, default: [:]][key] = use
            } else {
                spellings[plain]?[key]?.seen.count(use.seen)
            }
        }
        return spellings.filter { $0.value.count > 1 }.sorted { $0.key < $1.key }.compactMap { _, uses in
            // The rarest spelling is told; the others are right by their number.
            let sorted = uses.sorted { ($0.value.seen.count, $0.key) < ($1.value.seen.count, $1.key) }
            guard let (key, use) = sorted.first else { return nil }
            let others = sorted.dropFirst().map { "\($0.key) in \($0.value.kind)" }.joined(separator: ", ")
            return LintFinding(
                .keySpelling, use.kind, use.path, in: use.cassette, use.seen,
                "is spelt \(key)\(use.seen.times), and \(others)")
        }
    }
}
