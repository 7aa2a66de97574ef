import Configuration
import Foundation
import Words

/// The programs in the directory of the running test bundle, where Swift's package manager builds them.
enum TestPrograms {
    static let directory = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()

    /// Returns the program of a name.
    ///
    /// - Throws: ``MissingProgram`` if there is none.
    static func program(_ name: String, in directory: URL = directory) throws(MissingProgram) -> URL {
        let file = directory.appending(path: name)
        guard !name.isEmpty, name.isWithinFileName, isProgram(file) else {
            throw MissingProgram(name: name, directory: directory.plainPath, programs: programs(in: directory))
        }
        return file
    }

    private static func programs(in directory: URL) -> [String] {
        // A directory that cannot be listed has no programs to offer.
        let names = (try? FileManager.default.contentsOfDirectory(atPath: directory.plainPath)) ?? []
        return names.filter { !$0.contains(".") && isProgram(directory.appending(path: $0)) }.sorted()
    }

    private static func isProgram(_ file: URL) -> Bool {
        let path = file.plainPath
        var isDirectory: ObjCBool = false
        return FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory) && !isDirectory.boolValue
            && FileManager.default.isExecutableFile(atPath: path)
    }
}
