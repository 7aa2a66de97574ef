import Configuration
import Foundation
import RoleCopies

/// Writes a package into a new folder.
enum PackageWriter {
    /// Returns a folder's place without symbolic links, also if it does not exist yet.
    static func place(_ path: String) -> URL {
        var (existing, missing) = (URL(filePath: path).standardizedFileURL, [String]())
        while !FileManager.default.fileExists(atPath: existing.plainPath), existing.plainPath != "/" {
            missing.append(existing.lastPathComponent)
            existing = existing.deletingLastPathComponent()
        }
        return missing.reversed().reduce(existing.resolvingSymlinksInPath()) { $0.appending(path: $1) }
    }

    /// Refuses a folder that is not free, or whose place would make the app's folder endless.
    static func check(_ package: URL, for app: AppSources, _ path: String) throws(CommandError) {
        let manager = FileManager.default
        var isFolder: ObjCBool = false
        if manager.fileExists(atPath: package.plainPath, isDirectory: &isFolder) {
            guard isFolder.boolValue else {
                throw CommandError("--into \(path): this is a file, not a folder; name a new one")
            }
            let content: [String]
            do {
                content = try manager.contentsOfDirectory(atPath: package.plainPath)
            } catch {
                throw CommandError(
                    "--into \(path): the folder cannot be read: \((error as NSError).localizedDescription); name a new one"
                )
            }
            guard content.isEmpty else {
                throw CommandError(
                    "--into \(path): the folder is not empty, and nothing is overwritten; name a new one")
            }
        }
        guard app.parts.allSatisfy({ $0.relativePath(of: package) == nil }) else {
            throw CommandError(
                "--into \(path): the package would be inside of the app's folder, to which it links; name a folder beside it"
            )
        }
    }

    static func write(_ adopted: AdoptedPackage, to package: URL) throws(CommandError) {
        let manager = FileManager.default
        do {
            for (path, text) in adopted.files(in: package).sorted(by: { $0.key < $1.key }) {
                let file = package.appending(path: path)
                try manager.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
                try Data(text.utf8).write(to: file)
            }
            for (path, place) in CopyRole.allCases.flatMap(adopted.links) {
                let link = package.appending(path: path)
                let folder = link.deletingLastPathComponent()
                try manager.createDirectory(at: folder, withIntermediateDirectories: true)
                try manager.createSymbolicLink(
                    atPath: link.plainPath, withDestinationPath: place.relativePath(from: folder))
            }
        } catch {
            throw CommandError(
                "\(package.plainPath) cannot be written: \((error as NSError).localizedDescription); remove what is there "
                    + "and try again")
        }
    }
}
