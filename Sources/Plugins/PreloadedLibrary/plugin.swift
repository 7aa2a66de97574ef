import Foundation
import PackagePlugin

/// A plugin that builds the library that programs in virtual time preload, and writes it into a source file: a program
/// contains the library, wherever it is and whatever else was built.
@main
struct PreloadedLibrary: BuildToolPlugin {
    func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
        let root = context.package.directoryURL.appending(path: "Sources")
        let sources = root.appending(path: "Trials/CVirtualTime")
        let files = FileManager.default.enumerator(at: sources, includingPropertiesForKeys: nil)
        let inputs = (files?.allObjects ?? []).compactMap { $0 as? URL }.filter {
            ["c", "h"].contains($0.pathExtension)
        }
        let script = root.appending(path: "Plugins/PreloadedLibrary/preloaded-library.sh")
        let output = context.pluginWorkDirectoryURL.appending(path: "PreloadedLibrary.swift")
        return [
            .buildCommand(
                displayName: "Library that programs in virtual time preload",
                executable: URL(filePath: "/bin/sh"),
                arguments: [
                    script, sources, output, try context.tool(named: "clang").url,
                ].map { $0.path(percentEncoded: false) },
                inputFiles: inputs + [script],
                outputFiles: [output])
        ]
    }
}
