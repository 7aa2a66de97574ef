/// The rules about keys that are not always there.
enum RequiredKeyRule {
    /// The most sets of keys at one path that are compared with each other. 64: contents that have more have data as keys.
    private static let mostShapes = 64

    /// A set of keys, and where it was seen.
    private struct Variant {
        let shape: KeyShape
        /// By the index of the cassette.
        var fates: [Int: KeyShape.Fate] = [:]

        var answered: Int { fates.values.reduce(0) { $0 + $1.answered } }
        mutating func add(_ fate: KeyShape.Fate, _ place: Int) {
            fates[place] = fates[place].map { $0.adding(fate) } ?? fate
        }

        var failed: Int { fates.values.reduce(0) { $0 + $1.failed } }
    }

    static func findings(_ cassettes: [CassetteSurvey]) -> [LintFinding] {
        var found: [String: LintFinding] = [:]
        var order: [String] = []
        for kind in Set(cassettes.flatMap(\.kinds.keys)).sorted() {
            for variants in variants(of: kind, cassettes) {
                for with in variants {
                    for without in variants {
                        guard let finding = finding(kind, with, without, variants, cassettes) else { continue }
                        if found[finding.name] == nil { order.append(finding.name) }
                        found[finding.name] = found[finding.name] ?? finding
                    }
                }
            }
        }
        return order.compactMap { found[$0] }
    }

    /// Returns the sets of keys of a kind, for each key path.
    private static func variants(of kind: LintKind, _ cassettes: [CassetteSurvey]) -> [[Variant]] {
        let shapes = cassettes.map { $0.kinds[kind]?.shapes ?? [:] }
        // A recording that hides what kind of content each is can be compared with others as a whole only.
        let showsKinds = shapes.allSatisfy { $0.isEmpty || $0.keys.contains { !$0.word.isEmpty } }
        var variants: [KeyShape: Variant] = [:]
        for (place, found) in shapes.enumerated() {
            for (shape, fate) in found {
                var shape = shape
                if !showsKinds { shape.word = "" }
                variants[shape, default: Variant(shape: shape)].add(fate, place)
            }
        }
        return Dictionary(grouping: variants.values, by: \.shape.path).sorted { $0.key < $1.key }.map { group in
            let sorted = group.value.sorted { $0.shape.keys.sorted().lexicographicallyPrecedes($1.shape.keys.sorted()) }
            return Array(sorted.prefix(mostShapes))
        }
    }

    private static func finding(
        _ kind: LintKind, _ with: Variant, _ without: Variant, _ all: [Variant], _ cassettes: [CassetteSurvey]
    ) -> LintFinding? {
        guard let (key, new) = with.shape.difference(from: without.shape) else { return nil }
        let path = with.shape.path(of: key)
        if with.answered > 0, with.failed == 0, without.failed > 0, without.answered == 0,
            let (place, fate) = without.fates.min(by: { $0.key < $1.key })
        {
            return LintFinding(
                .requiredKey, kind, path, in: cassettes[place].cassette, fate.seen,
                "with it, the receiver answered (\(with.answered) of \(with.answered)); without it, it never did (\(without.failed))"
            )
        }
        // One recording has it always, another lacks it.
        let lacking = Set(all.filter { !$0.shape.keys.contains(key) && isAlike($0, with) }.flatMap(\.fates.keys))
        let having = Set(all.filter { $0.shape.keys.contains(key) && isOfOneMeaning($0, with) }.flatMap(\.fates.keys))
        let renamed = new.flatMap { new in isRenamed(kind, path, with.shape.path(of: new), cassettes) ? new : nil }
        // Of two names, the one that was there first is told.
        guard renamed == nil || with.fates.keys.min() ?? 0 < without.fates.keys.min() ?? 0 else { return nil }
        for (place, fate) in without.fates.sorted(by: { $0.key < $1.key }) {
            for (other, seen) in with.fates.sorted(by: { $0.key < $1.key }) where other != place {
                let builds = (cassettes[place].build, cassettes[other].build)
                guard builds.0 == nil || builds.0 != builds.1 else { continue }
                let isAlways = !lacking.contains(other)
                guard isAlways || renamed != nil && !having.contains(place) else { continue }
                if let first = having.min(), place < first {
                    // More keys trouble no older build.
                    return LintFinding(
                        .keyAdded, kind, path, in: cassettes[other].cassette, seen.seen,
                        "is new here\(seen.seen.times); \(cassettes[place].cassette) does not have it")
                }
                let hint = renamed.map { "; \($0) is there in its place: was it renamed?" } ?? ""
                return LintFinding(
                    isAlways ? .requiredKey : .keyRenamed, kind, path, in: cassettes[place].cassette, fate.seen,
                    "is missing here\(fate.seen.times), and \(isAlways ? "always" : "at times") there in \(cassettes[other].cassette) (first in event \(seen.seen.first))\(hint)"
                )
            }
        }
        return nil
    }

    private static func isAlike(_ variant: Variant, _ with: Variant) -> Bool {
        with.shape.difference(from: variant.shape) != nil
    }

    /// True for the same keys, or but for one: others are contents of another meaning that have the key, too.
    private static func isOfOneMeaning(_ variant: Variant, _ with: Variant) -> Bool {
        variant.shape == with.shape || isAlike(variant, with) || isAlike(with, variant)
    }

    /// True if two keys are never in one recording, and have the same types.
    private static func isRenamed(_ kind: LintKind, _ old: String, _ new: String, _ cassettes: [CassetteSurvey]) -> Bool
    {
        let surveys = cassettes.compactMap { $0.kinds[kind]?.paths }
        guard !surveys.contains(where: { $0[old] != nil && $0[new] != nil }) else { return false }
        func types(_ path: String) -> Set<String> { Set(surveys.flatMap { $0[path]?.types.keys.map(\.self) ?? [] }) }
        return types(old) == types(new)
    }
}
