import Foundation
import PackagePlugin

/// A plugin that writes the commit of the build into a source file before every build.
///
/// A prebuild command runs every time and rewrites the file only when its content changes; `Context.gitInformation` in
/// the manifest would be cached and become outdated.
@main
struct BuildInformation: BuildToolPlugin {
    func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
        let root = context.package.directoryURL
        let output = context.pluginWorkDirectoryURL
        return [
            .prebuildCommand(
                displayName: "Build information",
                executable: URL(filePath: "/bin/sh"),
                arguments: [
                    root.appending(path: "Sources/Plugins/BuildInformation/build-information.sh").path(
                        percentEncoded: false),
                    root.path(percentEncoded: false),
                    output.path(percentEncoded: false),
                ],
                outputFilesDirectory: output)
        ]
    }
}
