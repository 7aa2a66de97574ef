import Configuration
import Foundation
import RoleCopies

/// A folder or a source of an app that is adopted, and the devices that compile it.
struct AppPart {
    /// The most sources. 10,000: more than any app has; more are a folder by mistake, such as a home directory.
    private static let maximumSources = 10_000

    /// Its place, without symbolic links.
    let url: URL
    let isFolder: Bool
    let roles: [CopyRole]
    /// The paths of its sources relative to it; a single source has an empty one.
    let names: [String]
    /// Its name below `App`; empty if `App` is this folder.
    var place = ""

    init(_ path: String, roles: [CopyRole]) throws(CommandError) {
        self.roles = roles
        url = URL(filePath: path).resolvingSymlinksInPath()
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: url.plainPath, isDirectory: &isFolder) else {
            throw CommandError("\(path) does not exist; name a folder or a Swift file of the app's connectivity layer")
        }
        self.isFolder = isFolder.boolValue
        guard isFolder.boolValue || url.pathExtension == "swift" else {
            throw CommandError("\(path) is not a Swift file; name a folder or a Swift file of the connectivity layer")
        }
        names = isFolder.boolValue ? try Self.names(in: url.plainPath, path) : [""]
        guard !names.isEmpty else {
            throw CommandError("\(path) contains no Swift file; name the folder with the app's connectivity layer")
        }
    }

    /// Returns the path below `App` of one of its sources or folders.
    func pathBelowApp(_ name: String) -> String { [place, name].filter { !$0.isEmpty }.joined(separator: "/") }

    /// Returns the path of a place relative to this folder; nil if it is not inside of it. The folder's own is empty.
    func relativePath(of other: URL) -> String? {
        let (own, path) = (url.plainPath.split(separator: "/"), other.plainPath.split(separator: "/"))
        return path.starts(with: own) ? path.dropFirst(own.count).joined(separator: "/") : nil
    }

    func sources() throws(CommandError) -> [LayerSurvey.Source] {
        var sources: [LayerSurvey.Source] = []
        for name in names {
            let file = name.isEmpty ? url : url.appending(path: name)
            sources.append(
                LayerSurvey.Source(path: pathBelowApp(name), text: [UInt8](try InputFile.read(file.plainPath))))
        }
        return sources
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
