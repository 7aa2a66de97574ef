import Foundation
import PackagePlugin

/// Writes the commit that is built into a source file, before every build.
///
/// A prebuild command runs each time and rewrites the file only when its content changes; `Context.gitInformation` in the
/// manifest would be cached and grow stale.
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
