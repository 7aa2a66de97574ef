import Configuration
import Foundation
import RoleCopies

/// The folder of an app whose sources are adopted.
struct AppFolder {
    /// The most sources. 10,000: more than any app has; more are a folder by mistake, such as a home directory.
    private static let maximumSources = 10_000

    let url: URL
    let sources: [LayerSurvey.Source]

    /// Reads all Swift files below a folder.
    init(_ path: String) throws(CommandError) {
        let url = URL(filePath: path).resolvingSymlinksInPath()
        self.url = url
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: url.plainPath, isDirectory: &isFolder) else {
            throw CommandError("\(path) does not exist; name the folder with the app's connectivity layer")
        }
        guard isFolder.boolValue else {
            throw CommandError("\(path) is a file; name the folder with the app's connectivity layer")
        }
        let names = try Self.names(in: url.plainPath, path)
        guard !names.isEmpty else {
            throw CommandError("\(path) contains no Swift file; name the folder with the app's connectivity layer")
        }
        var sources: [LayerSurvey.Source] = []
        for name in names {
            let text = try InputFile.read(url.appending(path: name).plainPath)
            sources.append(LayerSurvey.Source(path: name, text: [UInt8](text)))
        }
        self.sources = sources
    }

    private static func names(in folder: String, _ path: String) throws(CommandError) -> [String] {
        guard let files = FileManager.default.enumerator(atPath: folder) else {
            throw CommandError("\(path) cannot be read; check its permissions")
        }
        var names: [String] = []
        while let name = files.nextObject() as? String {
            let last = name.split(separator: "/").last ?? ""
            if last.hasPrefix(".") {
                files.skipDescendants()
            } else if last.hasSuffix(".swift") {
                names.append(name)
            }
            guard names.count <= maximumSources else {
                throw CommandError(
                    "\(path) contains more than \(maximumSources) Swift files; name the folder of the connectivity layer"
                )
            }
        }
        return names.sorted()
    }
}
