import Foundation

/// The comparison of a build with a contract.
extension Contract {
    /// Returns what a build does not keep.
    ///
    /// - Parameter tape: A run of the build. What the run had no occasion for is not held against it: a kind of content that it
    ///   neither gave nor took.
    package func breaches(by tape: AppTape) -> [Deviation] {
        let build = Contract(side, [tape], MessageKinds(keys: kindKeys ?? [:], families: kindFamilies ?? [:]))
        let rare = Set(sometimes ?? [])
        var breaches: [Deviation] = []
        for (kind, keys) in gives.sorted(by: { $0.key < $1.key }) {
            guard let given = build.gives[kind] else {
                if !rare.contains(kind) { breaches.append(Self.breach(kind, "is promised, and was not given")) }
                continue
            }
            for (key, types) in keys.sorted(by: { $0.key < $1.key }) {
                breaches += Self.breach(kind, key, types, of: keys, given).map { [$0] } ?? []
            }
        }
        for kind in answers where build.takes[kind] != nil && !build.answers.contains(kind) {
            breaches.append(Self.breach("reply", of: kind, "is promised for \(kind), and was not given"))
        }
        for (kind, codes) in build.errors.sorted(by: { $0.key < $1.key }) {
            for code in codes where !(errors[kind] ?? []).contains(code) {
                breaches.append(Self.breach(kind, of: "error \(code)", "has the new error \(code)"))
            }
        }
        for (kind, calls) in order.sorted(by: { $0.key < $1.key }) {
            guard let made = build.order[kind], made != calls else { continue }
            let (from, to) = (calls.joined(separator: ", "), made.joined(separator: ", "))
            breaches.append(Self.breach(kind, of: "order", "is followed by \(to), where \(from) is promised"))
        }
        return breaches
    }

    private static func breach(_ kind: String, of part: String = "", _ text: String) -> Deviation {
        Deviation(recorded: nil, replayed: nil, event: kind, .contract(part: part, text))
    }

    private static func breach(
        _ kind: String, _ key: String, _ types: String, of promised: Keys, _ given: Keys
    ) -> Deviation? {
        let isOptional = key.hasSuffix("?")
        let path = isOptional ? String(key.dropLast()) : key
        if let found = given[path] ?? (isOptional ? given[path + "?"] : nil) {
            let known = Set(types.components(separatedBy: separator))
            let new = found.components(separatedBy: separator).filter { !known.contains($0) }
            guard !new.isEmpty else { return nil }
            return breach(kind, of: path, "\(path) is \(new.joined(separator: separator)), where \(types) is promised")
        }
        if !isOptional, given[path + "?"] != nil {
            return breach(kind, of: path, "\(path) is promised, and was not always there")
        }
        // A list can be empty, and a part is there only if the whole is.
        return isOptional || path.hasSuffix("[]") || !hasWhole(of: path, in: promised, given)
            ? nil : breach(kind, of: path, "\(path) is promised, and was not there")
    }

    /// Returns true if the dictionary or object that has the last key of a path was given.
    private static func hasWhole(of path: String, in promised: Keys, _ given: Keys) -> Bool {
        // Keys can contain dots, so the longest path that is known is the whole. One that is missing itself is told, and its parts
        // are not.
        let wholes = Set(promised.keys).union(given.keys).map { $0.hasSuffix("?") ? String($0.dropLast()) : $0 }
            .filter { path.hasPrefix($0 + ".") }
        guard let whole = wholes.max(by: { $0.count < $1.count }) else { return !path.contains("[]") }
        let types = (given[whole] ?? given[whole + "?"] ?? "").components(separatedBy: separator)
        return types.contains("dictionary") || types.contains("object")
    }
}
