import Foundation
import PackagePlugin

/// A plugin that writes the files of `Config` that an installation needs into a source file before every build: the
/// installed files match the build, wherever the program is.
@main
struct EmbeddedFiles: BuildToolPlugin {
    func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
        let root = context.package.directoryURL
        let output = context.pluginWorkDirectoryURL
        return [
            .prebuildCommand(
                displayName: "Embedded files",
                executable: URL(filePath: "/bin/sh"),
                arguments: [
                    root.appending(path: "Sources/Plugins/EmbeddedFiles/embedded-files.sh").path(percentEncoded: false),
                    root.path(percentEncoded: false),
                    output.path(percentEncoded: false),
                ],
                outputFilesDirectory: output)
        ]
    }
}
