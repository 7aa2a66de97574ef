/// The settings of a target that is made of an app's sources.
package struct TargetSettings: Codable, Equatable, Sendable {
    /// The name of the settings' file in the target's folder.
    package static let fileName = "watchlink-adopt.json5"
    /// The name of the link to the app's folder, beside the settings.
    package static let folderName = "App"

    /// The device whose copies the target is made of.
    package var role: CopyRole
    /// The files and folders that are left out, relative to the app's folder.
    package var leaveOut: [String]?
    /// The modules that nothing supplies: files that import them are left out.
    package var leaveOutImporting: [String]?
    /// The modules whose sources are among the copies.
    package var ownModules: [String]?

    package init(
        role: CopyRole, leaveOut: [String]? = [], leaveOutImporting: [String]? = [], ownModules: [String]? = []
    ) {
        self.role = role
        self.leaveOut = leaveOut
        self.leaveOutImporting = leaveOutImporting
        self.ownModules = ownModules
    }

    /// Returns the reason to leave out a source; nil if it is copied.
    ///
    /// - Parameter path: The path relative to the app's folder.
    package func reasonToLeaveOut(_ path: String) -> String? {
        let parts = path.split(separator: "/")
        if parts.last == "main.swift" { return "a program has one main.swift, and the target has its own" }
        let named = (leaveOut ?? []).first { parts.starts(with: $0.split(separator: "/")) }
        return named.map { "\(Self.fileName) names \($0)" }
    }

    /// Returns the reason to leave out a source; nil if it is copied.
    package func reasonToLeaveOut(_ imports: [ImportStatement]) -> String? {
        let modules = leaveOutImporting ?? []
        return imports.first { !$0.isTentative && modules.contains($0.module) }
            .map { "line \($0.line) imports \($0.module), which nothing supplies on Linux" }
    }
}
