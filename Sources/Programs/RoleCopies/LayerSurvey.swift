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
    }

    package let settings: TargetSettings
    package private(set) var copied: [String] = []
    package private(set) var leftOut: [LeftOut] = []
    package private(set) var gaps: [SurveyGap] = []
    /// The faces that the copied sources need. Every layer has Foundation's gaps, because it may store defaults.
    package private(set) var faces: Set<Face> = [.foundationGaps]
    package let delegates: [SessionDelegate]

    package init(_ sources: [Source], role: CopyRole) {
        var settings = TargetSettings(role: role)
        var broken: [LeftOut] = []
        var copies: [(path: String, copy: RoleCopy)] = []
        for source in sources {
            if let reason = settings.reasonToLeaveOut(source.path) {
                broken.append(LeftOut(path: source.path, reason: reason))
                continue
            }
            do throws(CopyError) {
                copies.append((source.path, try RoleCopy(of: source.text, for: role)))
            } catch {
                settings.leaveOut?.append(source.path)
                broken.append(LeftOut(path: source.path, reason: "\(error)"))
            }
        }
        var catalogue = TypeCatalogue()
        for (_, copy) in copies { catalogue.add(copy) }
        let own = catalogue.names
        var foreign: Set<String> = []
        var reasons: [String: String] = [:]
        for (path, copy) in copies {
            let modules = copy.imports.compactMap { Self.gap($0, path) }
            let symbols = Self.symbols(copy, path, own)
            let lacking = modules.filter { $0.supply == nil }
            foreign.formUnion(lacking.map(\.name))
            guard lacking.isEmpty else {
                gaps += modules + symbols.filter { $0.supply == nil }
                continue
            }
            gaps += modules + symbols
            if let foreign = Self.symbolOfOtherDevice(copy, role, own) {
                reasons[path] = foreign
            } else if let symbol = symbols.first(where: { $0.supply == nil }) {
                reasons[path] = "line \(symbol.line) uses \(symbol.name), which nothing supplies on Linux"
            }
            if reasons[path] != nil { settings.leaveOut?.append(path) }
        }
        settings.leaveOutImporting = foreign.sorted()
        var used = TypeCatalogue()
        // A face makes `canImport` true: code that asks is then compiled and must find all that it uses.
        var (possible, tooSmall): (Set<Face>, Set<Face>) = ([], [])
        for (path, copy) in copies {
            if let reason = reasons[path] ?? settings.reasonToLeaveOut(path) ?? settings.reasonToLeaveOut(copy.imports)
            {
                broken.append(LeftOut(path: path, reason: reason))
            } else {
                copied.append(path)
                let certain = copy.imports.filter { !$0.isTentative }
                faces.formUnion(certain.compactMap { Face(rawValue: $0.module) })
                faces.formUnion(Self.symbols(copy, path, own).compactMap(\.supply))
                possible.formUnion(copy.imports.compactMap { Face(rawValue: $0.module) })
                tooSmall.formUnion(Self.facesTooSmall(for: copy, own))
                used.add(copy)
            }
        }
        faces.formUnion(possible.subtracting(tooSmall))
        delegates = used.delegates
        leftOut = broken.sorted { $0.path < $1.path }
        self.settings = settings
    }

    /// Returns the gap that an import leaves on Linux; nil if there is none.
    private static func gap(_ statement: ImportStatement, _ path: String) -> SurveyGap? {
        guard !LinuxModules.contains(statement.module) else { return nil }
        let face = Face(rawValue: statement.module)
        guard face != nil || !statement.isTentative else { return nil }
        return SurveyGap(
            file: path, line: statement.line, kind: .module, name: statement.module, supply: face,
            advice: face == nil
                ? advice[statement.module] ?? "if it is yours, make it a dependency in Package.swift" : "")
    }

    /// Returns the faces that lack names of the code that asks for a module.
    private static func facesTooSmall(for copy: RoleCopy, _ own: Set<String>) -> Set<Face> {
        Set(
            copy.tokens.filter { $0.isTentative && $0.kind == .word }.map { copy.source.text($0) }
                .filter { !own.contains($0) }.compactMap { Face.lacking($0) })
    }

    /// The advice for modules that many layers import but do not need.
    private static let advice = [
        "SwiftUI": "keep views and the layer in different files",
        "CoreGraphics":
            "Foundation has CGFloat, CGPoint, CGSize and CGRect; import it only #if canImport(CoreGraphics)",
        "Darwin": "import Foundation instead, or import it only #if canImport(Darwin)",
        "HealthKit": "keep what reads health data and the layer in different files",
    ]

    /// Returns the reason to leave out a source that belongs to the other device; nil if it does not.
    ///
    /// A folder of a whole app contains such sources, in the folder of one of its targets.
    private static func symbolOfOtherDevice(_ copy: RoleCopy, _ role: CopyRole, _ own: Set<String>) -> String? {
        for token in copy.tokens where token.kind == .word && !token.isTentative {
            let name = copy.source.text(token)
            if let device = Face.onlyDevice(with: name), device != role, !own.contains(name) {
                let line = copy.source.line(of: token.range.lowerBound)
                return "line \(line) uses \(name), which only the \(device.rawValue) has"
            }
        }
        return nil
    }
}
