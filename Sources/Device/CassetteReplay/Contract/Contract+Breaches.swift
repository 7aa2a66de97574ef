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
        var refused = RefusedCalls(tape)
        var breaches: [Deviation] = []
        for (kind, keys) in gives.sorted(by: { $0.key < $1.key }) {
            let call = String(kind.prefix { $0 != " " })
            if build.gives[kind] ?? build.gives[call] == [:], keys.contains(where: { !$0.key.hasSuffix("?") }),
                call == Channel.file.rawValue
            {
                breaches.append(Self.breach(kind, of: "metadata", "metadata is promised, and was not there"))
            } else if let given = build.gives[kind] {
                breaches += keys.sorted { $0.key < $1.key }.compactMap { key, types in
                    breach(kind, key, types, given)
                }
            } else if !rare.contains(kind) {
                let error = Self.refusal(of: call, tape, &refused)
                let what = error.map { "was refused with \($0.errorInWords)" } ?? "was not given"
                breaches.append(Self.breach(kind, "is promised, and \(what)"))
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

    /// Returns the error with which the session refused a call or an answer that was made, and not given; nil if it was not made.
    private static func refusal(of call: String, _ tape: AppTape, _ refused: inout RefusedCalls) -> AppEvent? {
        if let channel = Channel(rawValue: call) { return refused.take(of: channel) }
        return tape.events.first { $0.role == .answer && $0.error != nil }
    }

    private func breach(_ kind: String, _ key: String, _ types: String, _ given: Keys) -> Deviation? {
        let isOptional = key.hasSuffix("?")
        let path = isOptional ? String(key.dropLast()) : key
        if let found = given[path] ?? (isOptional ? given[path + "?"] : nil) {
            let promised = Set(types.components(separatedBy: Self.separator))
            let new = found.components(separatedBy: Self.separator).filter { !promised.contains($0) }
            guard !new.isEmpty else { return nil }
            let types = "\(new.joined(separator: Self.separator)), where \(types) is promised"
            return Self.breach(kind, of: path, "\(path) is \(types)")
        }
        if !isOptional, given[path + "?"] != nil {
            return Self.breach(kind, of: path, "\(path) is promised, and was not always there")
        }
        // A list can be empty, and a part is there only if the whole is.
        return isOptional || path.hasSuffix("[]") || !hasWhole(of: path, kind, given)
            ? nil : Self.breach(kind, of: path, "\(path) is promised, and was not there")
    }

    /// Returns true if the dictionary or object that has the last key of a path was given.
    private func hasWhole(of path: String, _ kind: String, _ given: Keys) -> Bool {
        // Keys can contain dots, so the longest path that is known is the whole. One that is promised and was not there is told
        // itself.
        let wholes = [given, gives[kind] ?? [:]].flatMap(\.keys).map { $0.hasSuffix("?") ? String($0.dropLast()) : $0 }
            .filter { path.hasPrefix($0 + ".") }
        guard let whole = wholes.max(by: { $0.count < $1.count }) else { return !path.contains("[]") }
        let types = (given[whole] ?? given[whole + "?"] ?? "").components(separatedBy: Self.separator)
        return types.contains("dictionary") || types.contains("object")
    }
}
