/// The findings about an app's sources, as one of its devices sees them.
package struct LayerSurvey: Sendable {
    /// A source by its path relative to the app's folder.
    package struct Source: Sendable {
        package let path: String
        package let text: [UInt8]

        package init(path: String, text: [UInt8]) {
            self.path = path
            self.text = text
        }
    }

    /// A source that is not copied, and the reason.
    package struct LeftOut: Equatable, Sendable {
        package let path: String
        package let reason: String
        /// The session delegates that it declares.
        package var delegates: [String] = []
    }

    package private(set) var settings: TargetSettings
    package private(set) var copied: [String] = []
    package private(set) var leftOut: [LeftOut] = []
    package private(set) var gaps: [SurveyGap] = []
    /// The faces that the copied sources need. Every layer has Foundation's gaps, because it may store defaults.
    package private(set) var faces: Set<Face> = [.foundationGaps]
    /// True if the copied sources use the part of Foundation that is a module of its own on Linux.
    package private(set) var usesNetworking = false
    package private(set) var delegates: [SessionDelegate] = []
    /// The types that two of the copied sources declare.
    package private(set) var clashes: [TypeClash] = []
    /// True if some sources import a module with an access level and others without: the compiler accepts that only where
    /// an import without one is internal.
    package private(set) var mixesImportLevels = false

    /// - Parameters:
    ///   - modules: The names of folders around the sources, which may be modules.
    ///   - leavingOut: The files and folders that are left out in any case.
    package init(_ sources: [Source], role: CopyRole, modules: Set<String> = [], leavingOut: [String] = []) {
        settings = TargetSettings(role: role, leaveOut: leavingOut)
        // What is imported shows which of the folders are modules, and then the copies are made without their imports.
        settings.ownModules = Self.ownModules(read(sources).copies, modules)
        var (copies, broken) = read(sources)
        leftOut = broken
        let uncopied = broken.map(\.path).filter { settings.reasonToLeaveOut($0) == nil }
        settings.leaveOut?.append(contentsOf: uncopied)
        let own = copies.reduce(into: Set<String>()) { $0.formUnion($1.catalogue.names) }
        findGaps(&copies, own)
        SurveyedCopy.leaveOutUsers(&copies)
        for copy in copies {
            guard let reason = copy.reason else { continue }
            let delegates = copy.catalogue.delegates.map(\.name)
            leftOut.append(LeftOut(path: copy.path, reason: reason, delegates: delegates))
            if settings.reasonToLeaveOut(copy.path) == nil, settings.reasonToLeaveOut(copy.copy.imports) == nil {
                settings.leaveOut?.append(copy.path)
            }
        }
        leftOut.sort { $0.path < $1.path }
        let remaining = copies.filter { $0.reason == nil }
        copied = remaining.map(\.path)
        findFaces(remaining, own)
        var catalogue = TypeCatalogue()
        for copy in remaining { catalogue.add(copy.copy) }
        delegates = catalogue.delegates
        clashes = TypeClash.all(in: remaining)
        let imports = remaining.flatMap(\.copy.imports)
        let leveled = Set(imports.filter(\.hasAccessLevel).map(\.module))
        mixesImportLevels = imports.contains { !$0.hasAccessLevel && leveled.contains($0.module) }
    }

    /// Returns the modules that sources import and that a folder of sources has the name of.
    private static func ownModules(_ copies: [SurveyedCopy], _ modules: Set<String>) -> [String] {
        var (folders, imported) = (modules, Set<String>())
        for copy in copies {
            folders.formUnion(copy.path.split(separator: "/").dropLast().map(String.init))
            imported.formUnion(copy.copy.imports.map(\.module))
        }
        return imported.intersection(folders).filter {
            !LinuxModules.contains($0) && Face(rawValue: $0) == nil && !AppleFramework.contains($0)
        }.sorted()
    }

    /// Returns the copies of the sources, and the sources that cannot be copied.
    private func read(_ sources: [Source]) -> (copies: [SurveyedCopy], broken: [LeftOut]) {
        var (copies, broken): ([SurveyedCopy], [LeftOut]) = ([], [])
        for source in sources {
            let reason = settings.reasonToLeaveOut(source.path)
            do throws(CopyError) {
                let copy = try RoleCopy(of: source.text, for: settings.role, ownModules: settings.ownModules ?? [])
                copies.append(SurveyedCopy(path: source.path, copy: copy, reason: reason))
            } catch {
                broken.append(LeftOut(path: source.path, reason: reason ?? "\(error)"))
            }
        }
        return (copies, broken)
    }

    /// Names what is missing in the copies, and leaves out those that need it.
    private mutating func findGaps(_ copies: inout [SurveyedCopy], _ own: Set<String>) {
        var foreign: Set<String> = []
        for place in copies.indices where copies[place].reason == nil {
            let copy = copies[place]
            let modules = copy.missingModules
            let symbols = copy.symbols(own)
            let missing = modules.filter { $0.supply == nil }
            foreign.formUnion(missing.map(\.name))
            gaps += modules + symbols.filter { missing.isEmpty || $0.supply == nil }
            if let module = missing.first {
                copies[place].reason = "line \(module.line) imports \(module.name), which nothing supplies on Linux"
            } else if let other = copy.symbolOfOtherDevice(settings.role, own) {
                copies[place].reason = other
            } else if let symbol = symbols.first(where: { $0.supply == nil }) {
                copies[place].reason = "line \(symbol.line) uses \(symbol.name), which nothing supplies on Linux"
            }
        }
        settings.leaveOutImporting = foreign.sorted()
    }

    /// Finds the faces that the copies need.
    ///
    /// A face makes `canImport` true: code that asks is then compiled and must find all that it uses.
    private mutating func findFaces(_ copies: [SurveyedCopy], _ own: Set<String>) {
        var (possible, tooSmall): (Set<Face>, Set<Face>) = ([], [])
        for copy in copies {
            let imports = copy.copy.imports
            faces.formUnion(imports.filter { !$0.isTentative }.compactMap { Face(rawValue: $0.module) })
            faces.formUnion(copy.symbols(own).compactMap(\.supply))
            usesNetworking = usesNetworking || copy.usesNetworking
            possible.formUnion(imports.compactMap { Face(rawValue: $0.module) })
            tooSmall.formUnion(copy.facesTooSmall(own))
        }
        faces.formUnion(possible.subtracting(tooSmall))
    }
}
