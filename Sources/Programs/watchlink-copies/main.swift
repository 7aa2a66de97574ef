import Foundation
import Glibc
import RoleCopies

// Makes one copy: watchlink-copies SETTINGS ORIGINAL PATH-IN-THE-FOLDER COPY. The plugin RoleCopies runs it in builds.

/// Ends with an error in the compiler's form, which builds show with its place.
func fail(_ file: String, _ line: Int, _ message: String) -> Never {
    FileHandle.standardError.write(Data("\(file):\(line): error: \(message)\n".utf8))
    exit(1)
}

/// Reads a file of at most as many bytes as a source may have, and one more for a longer one to be noticed.
func read(_ path: String) -> Data {
    do {
        let handle = try FileHandle(forReadingFrom: URL(filePath: path))
        return try handle.read(upToCount: RoleCopy.maximumBytes + 1) ?? Data()
    } catch {
        fail(path, 1, "it cannot be read: \((error as NSError).localizedDescription)")
    }
}

let words = Array(CommandLine.arguments.dropFirst())
guard words.count == 4 else {
    fail("watchlink-copies", 1, "it takes four paths from the plugin RoleCopies, not \(words.count)")
}
let (settingsPath, original, path, output) = (words[0], words[1], words[2], words[3])

let settings: TargetSettings
do {
    settings = try TargetSettings(json5: read(settingsPath))
} catch {
    fail(settingsPath, 1, "\(error)")
}
let copy: [UInt8]
if let reason = settings.reasonToLeaveOut(path) {
    copy = RoleCopy.leftOut(original, because: reason)
} else {
    do throws(CopyError) {
        let made = try RoleCopy(
            of: [UInt8](read(original)), for: settings.role, ownModules: settings.ownModules ?? [])
        copy =
            settings.reasonToLeaveOut(made.imports).map { RoleCopy.leftOut(original, because: $0) }
            ?? made.file(naming: original)
    } catch {
        fail(original, error.line, error.message)
    }
}
do {
    let place = URL(filePath: output)
    try FileManager.default.createDirectory(
        at: place.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(copy).write(to: place, options: .atomic)
} catch {
    fail(output, 1, "it cannot be written: \((error as NSError).localizedDescription)")
}
