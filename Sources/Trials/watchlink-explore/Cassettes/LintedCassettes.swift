import Cassettes
import Files
import Foundation

/// The cassettes in the directories that a user has named, with the paths as the user knows them.
struct LintedCassettes {
    /// The deepest directory that is searched. 4: explorations have one for each seed, fleets one for each machine.
    private static let deepest = 4

    private(set) var all: [(title: String, cassette: Cassette)] = []

    init(_ directories: [String]) throws {
        for directory in directories {
            let title = directory.count > 1 && directory.hasSuffix("/") ? String(directory.dropLast()) : directory
            let former = all.count
            try add(title, depth: 0)
            guard all.count > former else { throw CassetteError.noCassette(path: directory) }
        }
    }

    private mutating func add(_ title: String, depth: Int) throws {
        if Cassette.exists(at: title) {
            let path = URL(filePath: title).standardizedFileURL.path(percentEncoded: false)
            return all.append((title, try Cassette(at: path)))
        }
        var isDirectory: ObjCBool = false
        guard depth <= Self.deepest, FileManager.default.fileExists(atPath: title, isDirectory: &isDirectory),
            isDirectory.boolValue
        else { return }
        for name in try DurableDirectory(title).names().sorted() { try add("\(title)/\(name)", depth: depth + 1) }
    }
}
