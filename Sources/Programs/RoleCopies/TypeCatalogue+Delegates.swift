extension TypeCatalogue {
    /// The names of all declared types, without those of the types around them.
    var names: Set<String> { Set(order.filter { entries[$0]?.isDeclared == true }.map(Self.lastName)) }

    /// The names of the types that all files see and that are in no other type.
    var visibleNames: Set<String> {
        Set(order.filter { !$0.contains(".") && entries[$0]?.isDeclared == true && entries[$0]?.isPrivate == false })
    }

    /// The session delegates: those that a program can bring up by a shared object come first, and a class comes before
    /// the one that it inherits from.
    var delegates: [SessionDelegate] {
        let all = delegateNames
        let bases = Set(all.flatMap { entries[$0]?.inherited ?? [] })
        let found = all.map { name -> (rank: Int, delegate: SessionDelegate) in
            let isBase = bases.contains(Self.lastName(name))
            if let expression = expression(name) {
                return (isBase ? 2 : 0, SessionDelegate(name: name, expression: expression))
            }
            guard let creator = creator(of: name) else { return (3, SessionDelegate(name: name, expression: nil)) }
            return (1, SessionDelegate(name: name, expression: expression(creator), creator: creator))
        }
        // The sort keeps the order of equal ones.
        return (0...3).flatMap { rank in found.filter { $0.rank == rank }.map(\.delegate) }
    }

    /// The names of the types that conform to `WCSessionDelegate`, themselves or by inheritance.
    private var delegateNames: [String] {
        var found: Set<String> = ["WCSessionDelegate"]
        var names: Set<String> = []
        while true {
            let more = order.filter { name in
                guard let entry = entries[name], !names.contains(name) else { return false }
                return !entry.inherited.isDisjoint(with: found)
            }
            guard !more.isEmpty else { break }
            names.formUnion(more)
            found.formUnion(more.map(Self.lastName))
        }
        return order.filter { name in
            guard names.contains(name), let entry = entries[name] else { return false }
            return entry.isCreatable || !entry.isDeclared && !entry.isAlias
        }
    }

    /// Returns the expression for an object of a type; nil if there is none.
    private func expression(_ name: String) -> String? {
        guard let entry = entries[name], !isHidden(name) else { return nil }
        if let shared = entry.shared { return "\(name).\(shared)" }
        let isPlain = entry.hasInitialiser ? entry.hasPlainInitialiser : inheritsPlainInitialiser(entry)
        return isPlain && !entry.isGeneric ? "\(name)()" : nil
    }

    private func inheritsPlainInitialiser(_ entry: Entry) -> Bool {
        order.filter { entry.inherited.contains($0) }.allSatisfy { base in
            guard let base = entries[base], base.isCreatable else { return true }
            return base.hasPlainInitialiser || !base.hasInitialiser
        }
    }

    /// Returns true if a type, or one around it, is private.
    private func isHidden(_ name: String) -> Bool {
        var path = name
        while true {
            if entries[path]?.isPrivate == true { return true }
            guard let dot = path.lastIndex(of: ".") else { return false }
            path = String(path[..<dot])
        }
    }

    /// Returns the type that names another one in its body and that a program can create, preferably as a shared object.
    private func creator(of name: String) -> String? {
        let candidates = order.filter { other in
            guard let entry = entries[other], other != name, entry.isCreatable, !other.hasPrefix(name + ".") else {
                return false
            }
            return entry.words.contains(Self.lastName(name)) && expression(other) != nil
        }
        return candidates.first { entries[$0]?.shared != nil } ?? candidates.first
    }

    static func lastName(_ name: String) -> String { String(name.split(separator: ".").last ?? "") }
}
