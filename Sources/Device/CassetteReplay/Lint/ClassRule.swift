/// The rules about class names in keyed archives, which the other side's unarchiver must know.
enum ClassRule {
    static func findings(_ cassettes: [CassetteSurvey], _ paths: [LintedPath]) -> [LintFinding] {
        let senders = senders(paths)
        let differing = paths.compactMap(differing)
        let apart = apart(paths)
        let told = Set((differing + apart).flatMap { names(at: $0.kind, $0.path, paths) })
        return differing + apart + undecodable(paths) + alone(paths, senders, told)
    }

    /// Returns the class names that both apps, or one of them, send.
    private static func senders(_ paths: [LintedPath]) -> [String: Set<String>] {
        paths.reduce(into: [:]) { senders, path in
            for name in path.recordings.flatMap(\.survey.classes.keys) where !isCommon(name) {
                senders[name, default: []].insert(path.kind.sender)
            }
        }
    }

    /// True for a class that each platform has.
    private static func isCommon(_ name: String) -> Bool { name.hasPrefix("NS") }

    /// True for a name with that of its module, as Swift's classes have it.
    private static func isQualified(_ name: String) -> Bool { name.contains(".") || name.hasPrefix("_Tt") }

    private static func names(at kind: LintKind, _ path: String, _ paths: [LintedPath]) -> [String] {
        paths.filter { $0.kind.content == kind.content && $0.path == path }
            .flatMap { $0.recordings.flatMap(\.survey.classes.keys) }
    }

    private static func differing(_ path: LintedPath) -> LintFinding? {
        guard let found = path.difference(\.classes) else { return nil }
        return LintFinding(
            .classDiffers, path.kind, path.path, in: found.place.cassette, found.seen,
            "is an object of class \(found.to)\(found.seen.times), and of class \(found.from) in \(found.base.cassette)"
        )
    }

    /// Returns the key paths at which the two apps send objects of different classes.
    private static func apart(_ paths: [LintedPath]) -> [LintFinding] {
        let known = paths.map { ($0, classes($0)) }.filter { !$0.1.isEmpty }
        let phones = known.filter { $0.0.kind.sender == "phone" }
        return known.filter { $0.0.kind.sender == "watch" }.compactMap { watch, classes in
            guard
                let (_, own) = phones.first(where: {
                    $0.0.kind.content == watch.kind.content && $0.0.path == watch.path
                }), classes.isDisjoint(with: own), let name = classes.min(), let other = own.min(),
                let recording = watch.recordings.first(where: { $0.survey.classes[name] != nil }),
                let seen = recording.survey.classes[name]
            else { return nil }
            return LintFinding(
                .classDiffers, watch.kind, watch.path, in: recording.cassette.cassette, seen,
                "is an object of class \(name)\(seen.times), where the phone sends one of class \(other)")
        }
    }

    private static func classes(_ path: LintedPath) -> Set<String> {
        Set(path.recordings.flatMap(\.survey.classes.keys).filter { !isCommon($0) })
    }

    /// Returns the classes whose messages were never answered, where others of their kind were.
    private static func undecodable(_ paths: [LintedPath]) -> [LintFinding] {
        paths.flatMap { path in
            path.recordings.flatMap { recording -> [LintFinding] in
                recording.survey.classes.sorted { $0.key < $1.key }.compactMap { name, seen in
                    guard !isCommon(name), recording.survey.failed[name] == seen.count,
                        recording.cassette.kinds[path.kind]?.shapes.values.contains(where: { $0.answered > 0 }) == true
                    else { return nil }
                    return LintFinding(
                        .classUndecodable, path.kind, path.path, class: name, in: recording.cassette.cassette, seen,
                        "is an object of class \(name), and no message with one was answered\(seen.times); others were")
                }
            }
        }
    }

    /// Returns the classes that only one app sends: with the name of a module, or to be known by the other.
    private static func alone(
        _ paths: [LintedPath], _ senders: [String: Set<String>], _ told: Set<String>
    ) -> [LintFinding] {
        var uses: [String: (path: LintedPath, cassette: CassetteSurvey, seen: Seen)] = [:]
        for path in paths {
            for (cassette, survey) in path.recordings {
                for (name, seen) in survey.classes where senders[name]?.count == 1 && !told.contains(name) {
                    if uses[name] == nil { uses[name] = (path, cassette, seen) } else { uses[name]?.seen.count(seen) }
                }
            }
        }
        return uses.sorted { $0.key < $1.key }.map { name, use in
            let (kind, times) = (use.path.kind, use.seen.times)
            let other = AppTape.counterpart(of: kind.sender)
            return LintFinding(
                isQualified(name) ? .classQualified : .classOneSided, kind, use.path.path, class: name,
                in: use.cassette.cassette,
                use.seen,
                isQualified(name)
                    ? "is an object of class \(name)\(times): the \(other)'s app knows it only with a module of that name"
                    : "is an object of class \(name)\(times), which only the \(kind.sender) sends: the \(other) must know the name"
            )
        }
    }
}
