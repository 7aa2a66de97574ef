import Configuration
import Files
import Foundation

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

    /// Refuses a folder that is not free.
    ///
    /// - Parameter path: The folder as the user named it.
    static func checkIsFree(_ package: URL, _ path: String) throws(CommandError) {
        let manager = FileManager.default
        var isFolder: ObjCBool = false
        guard manager.fileExists(atPath: package.plainPath, isDirectory: &isFolder) else { return }
        guard isFolder.boolValue else {
            throw CommandError("--into \(path): this is a file, not a folder; name a new one")
        }
        let content: [String]
        do {
            content = try manager.contentsOfDirectory(atPath: package.plainPath)
        } catch {
            throw CommandError(
                "--into \(path): the folder cannot be read: \((error as NSError).localizedDescription); name a new one")
        }
        guard content.isEmpty else {
            throw CommandError("--into \(path): the folder is not empty, and nothing is overwritten; name a new one")
        }
    }

    /// Writes files and symbolic links, by their paths, all or nothing: the package gets its name when it is complete.
    ///
    /// - Parameter links: The places that the links lead to.
    static func write(
        _ files: [String: String], links: [(path: String, place: URL)] = [], to package: URL
    ) throws(CommandError) {
        let manager = FileManager.default
        // Beside the package, so that relative paths are the same, and that it can be renamed.
        let draft = package.deletingLastPathComponent().appending(
            path: ".\(package.lastPathComponent).\(ProcessInfo.processInfo.processIdentifier)")
        do {
            for (path, text) in files.sorted(by: { $0.key < $1.key }) {
                let file = draft.appending(path: path)
                try manager.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
                try Data(text.utf8).write(to: file)
            }
            for (path, place) in links {
                let link = draft.appending(path: path)
                let folder = link.deletingLastPathComponent()
                try manager.createDirectory(at: folder, withIntermediateDirectories: true)
                try manager.createSymbolicLink(
                    atPath: link.plainPath, withDestinationPath: place.relativePath(from: folder))
            }
            // Replaces an empty folder, too.
            guard rename(draft.plainPath, package.plainPath) == 0 else {
                throw SystemError("create", on: package.plainPath)
            }
        } catch {
            let reason = (error as? SystemError)?.description ?? (error as NSError).localizedDescription
            throw CommandError("\(package.plainPath) cannot be written: \(reason); \(discarding(draft))")
        }
    }

    /// Removes an incomplete package, and returns the advice for what comes next.
    private static func discarding(_ draft: URL) -> String {
        do {
            if FileManager.default.fileExists(atPath: draft.plainPath) {
                try FileManager.default.removeItem(at: draft)
            }
            return "nothing was left behind; try again"
        } catch {
            return "remove \(draft.plainPath) and try again"
        }
    }
}
