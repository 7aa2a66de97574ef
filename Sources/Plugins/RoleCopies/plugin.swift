import Foundation
import PackagePlugin

/// A plugin that compiles an app's sources as its phone or its watch has them: it makes a copy of each in the build
/// directory.
///
/// The target's folder contains `watchlink-adopt.json5`, which names the role, and `App`, a symbolic link to the app's
/// folder or a folder of such links; the target excludes both. The link is more than a name: the package manager keeps the
/// commands of a plugin until a folder below the target's own changes, and it follows links. Therefore it asks this plugin
/// again when a source was added to the app or removed from it. Everything else is decided when a copy is made.
@main
struct RoleCopies: BuildToolPlugin {
    /// The most folders below `App`. 10,000: more than any app has; a link to a folder around it would have no end.
    private static let maximumFolders = 10_000

    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
        guard let target = target as? any SourceModuleTarget else {
            throw Failure(
                description: "\(target.name) has no sources; RoleCopies is a plugin for targets of Swift files")
        }
        let settings = target.directoryURL.appending(path: "watchlink-adopt.json5")
        let app = target.directoryURL.appending(path: "App")
        for needed in [settings, app] where !FileManager.default.fileExists(atPath: needed.plainPath) {
            throw Failure(
                description: "\(needed.plainPath) is missing; “watchlink adopt” makes it, and the article AdoptAnApp "
                    + "explains it")
        }
        let names = ["App", settings.lastPathComponent]
        if target.sourceFiles.contains(where: { $0.url.plainPath.hasPrefix(app.plainPath + "/") }) {
            throw Failure(
                description: "the target \(target.name) compiles the sources below App themselves; exclude them in "
                    + "Package.swift: exclude: \(names)")
        }
        let tool = try context.tool(named: "watchlink-copies").url
        return try Self.sources(below: app).map { path in
            let original = app.appending(path: path).resolvingSymlinksInPath()
            let copy = context.pluginWorkDirectoryURL.appending(path: Self.copyName(path))
            return .buildCommand(
                displayName: "Copying \(path)", executable: tool,
                arguments: [settings.plainPath, original.plainPath, path, copy.plainPath],
                inputFiles: [settings, original], outputFiles: [copy])
        }
    }

    /// Returns the name of a copy: unlike the original's, because the compiler wants one file for each name that it shows.
    private static func copyName(_ path: String) -> String {
        path.replacingOccurrences(of: "+", with: "++").replacingOccurrences(of: "/", with: "+").dropLast(6)
            + ".copy.swift"
    }

    /// Returns the paths of all Swift files below a folder, in order. Links are followed.
    private static func sources(below root: URL) throws -> [String] {
        var sources: [String] = []
        var folders = [""]
        var seen: Set<String> = []
        while let folder = folders.popLast() {
            let url = folder.isEmpty ? root : root.appending(path: folder)
            guard seen.insert(url.resolvingSymlinksInPath().plainPath).inserted else { continue }
            guard seen.count <= maximumFolders else {
                throw Failure(
                    description: "\(root.plainPath) has more than \(maximumFolders) folders; link the folder of the "
                        + "connectivity layer, not one around it")
            }
            for name in try FileManager.default.contentsOfDirectory(atPath: url.plainPath) where !name.hasPrefix(".") {
                let path = folder.isEmpty ? name : "\(folder)/\(name)"
                var isFolder: ObjCBool = false
                // A link that leads nowhere is no source.
                guard
                    FileManager.default.fileExists(atPath: root.appending(path: path).plainPath, isDirectory: &isFolder)
                else { continue }
                if isFolder.boolValue { folders.append(path) } else if path.hasSuffix(".swift") { sources.append(path) }
            }
        }
        return sources.sorted()
    }
}

extension URL {
    fileprivate var plainPath: String { path(percentEncoded: false) }
}
