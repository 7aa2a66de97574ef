/// The rules about types: a value that has another type in another recording, a type that cannot be sent, and numbers
/// of another magnitude or width.
enum TypeRule {
    /// The least factor between the numbers of two recordings that tells of another unit. 256: seconds and milliseconds
    /// are further apart, and the values of one unit seldom are; bounds are powers of 16.
    private static let unitFactor: Double = 256
    /// The least numbers on either side that are compared. 3: one alone may be an exception.
    private static let leastNumbers = 3

    static func findings(_ paths: [LintedPath]) -> [LintFinding] {
        paths.flatMap { path in
            // Another type explains another magnitude.
            [differing(path) ?? magnitude(path), wide(path)].compactMap(\.self)
        }
    }

    /// Returns the contents that the session refused for their types.
    static func unsupported(_ cassettes: [CassetteSurvey]) -> [LintFinding] {
        cassettes.flatMap { cassette in
            cassette.unsupported.sorted { $0.key < $1.key }.map { kind, seen in
                LintFinding(
                    .unsupportedType, kind, "", in: cassette.cassette, seen,
                    "it was refused, as it has a value that is not of a property-list type\(seen.times)")
            }
        }
    }

    private static func differing(_ path: LintedPath) -> LintFinding? {
        guard let found = difference(path) else { return nil }
        return LintFinding(
            .typeDiffers, path.kind, path.path, in: found.place.cassette, found.seen,
            "is \(ContentChange.article(found.to))\(found.seen.times), and \(ContentChange.article(found.from)) in \(found.base.cassette)"
        )
    }

    /// Returns the first difference between contents of one kind, where each recording shows kinds.
    private static func difference(
        _ path: LintedPath
    ) -> (from: String, to: String, base: CassetteSurvey, place: CassetteSurvey, seen: Seen)? {
        let kinds = path.recordings.map { $0.survey.typesOfKinds.keys }
        guard kinds.allSatisfy({ $0.contains { !$0.isEmpty } }) else { return path.difference(\.types) }
        return Set(kinds.flatMap { $0 }).sorted().lazy.compactMap { word in
            path.difference { $0.typesOfKinds[word] ?? [:] }
        }.first
    }

    private static func magnitude(_ path: LintedPath) -> LintFinding? {
        let known = path.recordings.filter { recording in
            recording.survey.bounds.values.reduce(0) { $0 + $1.count } >= leastNumbers
        }
        guard let base = known.first, let (low, high) = span(base.survey) else { return nil }
        for later in known.dropFirst() {
            guard let (newLow, newHigh) = span(later.survey), newHigh.isFinite, high.isFinite,
                let seen = later.survey.bounds[newLow]
            else { continue }
            guard newLow >= high * unitFactor || newHigh * unitFactor <= low else { continue }
            return LintFinding(
                .magnitudeDiffers, path.kind, path.path, in: later.cassette.cassette, seen,
                "is below \(Int64(newHigh)) in all recorded contents, and below \(Int64(high)) in \(base.cassette.cassette): is it another unit?"
            )
        }
        return nil
    }

    private static func span(_ survey: PathSurvey) -> (Double, Double)? {
        guard let low = survey.bounds.keys.min(), let high = survey.bounds.keys.max() else { return nil }
        return (low, high)
    }

    private static func wide(_ path: LintedPath) -> LintFinding? {
        guard path.kind.sender == "phone" else { return nil }
        for recording in path.recordings {
            guard let seen = recording.survey.wide else { continue }
            return LintFinding(
                .wideInteger, path.kind, path.path, in: recording.cassette.cassette, seen,
                "is a whole number beyond 32 bits\(seen.times)")
        }
        return nil
    }
}
