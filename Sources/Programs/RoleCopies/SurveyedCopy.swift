/// A copy whose needs are compared with what Linux has.
struct SurveyedCopy {
    /// The path of its source relative to the app's folder.
    let path: String
    let copy: RoleCopy
    let catalogue: TypeCatalogue
    /// The reason to leave it out, if there is one.
    var reason: String?

    init(path: String, copy: RoleCopy, reason: String? = nil) {
        self.path = path
        self.copy = copy
        self.reason = reason
        var catalogue = TypeCatalogue()
        catalogue.add(copy)
        self.catalogue = catalogue
    }

    /// Leaves out the copies that use a type that only copies left out declare, and those that use theirs.
    static func leaveOutUsers(_ copies: inout [SurveyedCopy]) {
        while true {
            let remaining = copies.filter { $0.reason == nil }
            let present = remaining.reduce(into: Set<String>()) { $0.formUnion($1.catalogue.names) }
            var lost: [String: String] = [:]
            for copy in copies where copy.reason != nil {
                for name in copy.catalogue.visibleNames.subtracting(present) { lost[name] = copy.path }
            }
            var isChanged = false
            for place in copies.indices where copies[place].reason == nil {
                guard let reason = copies[place].use(of: lost) else { continue }
                copies[place].reason = reason
                isChanged = true
            }
            guard isChanged else { return }
        }
    }

    /// Returns the reason to leave out the copy if it uses one of the types, which are given with their sources.
    private func use(of lost: [String: String]) -> String? {
        for (place, token) in copy.tokens.enumerated() where token.kind == .word && !token.isTentative {
            let name = copy.source.text(token)
            // After a dot, it is the member of something else.
            guard let path = lost[name], place == 0 || !copy.source.matches(copy.tokens[place - 1], ".") else {
                continue
            }
            return "line \(line(token)) uses \(name), which \(path) declares, and that is left out"
        }
        return nil
    }

    /// The imports that need something.
    var missingModules: [SurveyGap] {
        copy.imports.compactMap { statement in
            guard !LinuxModules.contains(statement.module) else { return nil }
            let face = Face(rawValue: statement.module)
            guard face != nil || !statement.isTentative else { return nil }
            return SurveyGap(
                file: path, line: statement.line, kind: .module, name: statement.written ?? statement.module,
                supply: face,
                advice: face == nil ? AppleFramework.advice(statement.module) : "")
        }
    }

    /// Returns the faces that lack names of the code that asks for a module.
    func facesTooSmall(_ own: Set<String>) -> Set<Face> {
        Set(
            copy.tokens.filter { $0.isTentative && $0.kind == .word }.map { copy.source.text($0) }
                .filter { !own.contains($0) }.compactMap { Face.lacking($0) })
    }

    /// Returns the reason to leave out a source that belongs to the other device; nil if it does not.
    ///
    /// A folder of a whole app contains such sources, in the folder of one of its targets.
    func symbolOfOtherDevice(_ role: CopyRole, _ own: Set<String>) -> String? {
        for token in copy.tokens where token.kind == .word && !token.isTentative {
            let name = copy.source.text(token)
            if let device = Face.onlyDevice(with: name), device != role, !own.contains(name) {
                return "line \(line(token)) uses \(name), which only the \(device.rawValue) has"
            }
        }
        return nil
    }

    func line(_ token: SourceToken) -> Int { copy.source.line(of: token.range.lowerBound) }
}
