import CassetteReplay
import Cassettes
import Foundation

/// The cassettes in the directories that a user has named, with the paths as the user knows them.
struct LintedCassettes {
    private(set) var all: [(title: String, cassette: Cassette)] = []

    init(_ directories: [String]) throws {
        for directory in directories {
            let folder = directory.count > 1 && directory.hasSuffix("/") ? String(directory.dropLast()) : directory
            let titles = try Cassette.all(at: folder)
            guard !titles.isEmpty else { throw Cassette.error(at: directory) }
            for title in titles {
                let path = URL(filePath: title).standardizedFileURL.path(percentEncoded: false)
                all.append((title, try Cassette(at: path)))
            }
        }
    }

    /// Returns the times of the other cassettes in the same directory, as those of both devices of a run are.
    func others(of title: String) -> [RecordedSpan] {
        func folder(_ title: String) -> URL { URL(filePath: title).deletingLastPathComponent() }
        return all.filter { $0.title != title && folder($0.title) == folder(title) }
            .compactMap { RecordedSpan($0.cassette) }
    }
}
