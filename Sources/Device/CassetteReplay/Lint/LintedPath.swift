/// A key path of a kind of content in all cassettes that have it, the earliest first.
struct LintedPath {
    let kind: LintKind
    let path: String
    private(set) var recordings: [(cassette: CassetteSurvey, survey: PathSurvey)] = []

    /// Returns all key paths of cassettes, in order.
    static func all(_ cassettes: [CassetteSurvey]) -> [LintedPath] {
        var found: [LintKind: [String: LintedPath]] = [:]
        for cassette in cassettes {
            for (kind, survey) in cassette.kinds {
                for (path, seen) in survey.paths {
                    found[kind, default: [:]][path, default: LintedPath(kind: kind, path: path)]
                        .recordings.append((cassette, seen))
                }
            }
        }
        return found.sorted { $0.key < $1.key }.flatMap { $0.value.values.sorted { $0.path < $1.path } }
    }

    /// Returns the first thing that a later recording has and an earlier one lacks, or the other way round, told at the
    /// recording that has it.
    ///
    /// - Parameter things: The things of a recording; one with none is not compared.
    func difference(
        _ things: (PathSurvey) -> [String: Seen]
    ) -> (from: String, to: String, base: CassetteSurvey, place: CassetteSurvey, seen: Seen)? {
        let known = recordings.filter { !things($0.survey).isEmpty }
        guard let base = known.first else { return nil }
        let old = things(base.survey)
        for later in known.dropFirst() {
            let new = things(later.survey)
            if let added = new.keys.filter({ old[$0] == nil }).min(), let seen = new[added] {
                return (Self.names(old), added, base.cassette, later.cassette, seen)
            }
            if let gone = old.keys.filter({ new[$0] == nil }).min(), let seen = old[gone] {
                return (Self.names(new), gone, later.cassette, base.cassette, seen)
            }
        }
        return nil
    }

    private static func names(_ things: [String: Seen]) -> String { things.keys.sorted().joined(separator: " or ") }
}
