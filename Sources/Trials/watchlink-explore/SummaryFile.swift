import Foundation
import VirtualTime

/// The file with an exploration's summary, in the directory of its findings.
struct SummaryFile {
    private static let (prefix, suffix) = ("summary-", ".json")
    /// The prefix of the file beside it with the complete coverage.
    private static let coveragePrefix = "coverage-"
    /// 256 MiB: a million findings.
    private static let mostBytes = 256 << 20

    let url: URL

    /// Creates the path of a shard's file. Each shard has its own, so that several can share a directory.
    init(_ directory: URL, _ firstSeed: UInt64, _ shard: Shard) {
        let part = shard == .whole ? "" : "-shard-\(shard.number)-of-\(shard.count)"
        url = directory.appending(path: "\(Self.prefix)\(firstSeed)\(part)\(Self.suffix)")
    }

    private init(url: URL) { self.url = url }

    /// Returns the summary files in a directory, sorted by name.
    static func all(in directory: String) throws -> [SummaryFile] {
        try FileManager.default.contentsOfDirectory(atPath: directory)
            .filter { $0.hasPrefix(prefix) && $0.hasSuffix(suffix) }.sorted()
            .map { SummaryFile(url: URL(filePath: directory).appending(path: $0)) }
    }

    /// Writes a summary. It names finding files without their directory, which may be copied elsewhere.
    func write(_ summary: ExplorationSummary) throws {
        var summary = summary
        for index in summary.found.indices {
            summary.found[index].file = summary.found[index].file.map { URL(filePath: $0).lastPathComponent }
        }
        try Data(Self.json(summary).utf8).write(to: url, options: .atomic)
        if let coverage = summary.coverage {
            try JSONEncoder().encode(coverage).write(to: coverageURL, options: .atomic)
        }
    }

    private var coverageURL: URL {
        let name = Self.coveragePrefix + url.lastPathComponent.dropFirst(Self.prefix.count)
        return url.deletingLastPathComponent().appending(path: name)
    }

    func read() throws -> ExplorationSummary {
        var summary = try decode(ExplorationSummary.self, url, "summary")
        // Older summaries have no coverage file.
        if FileManager.default.fileExists(atPath: coverageURL.path(percentEncoded: false)) {
            summary.cover(try decode(ExplorationCoverage.self, coverageURL, "coverage"))
        }
        let directory = url.deletingLastPathComponent()
        for index in summary.found.indices {
            // Only the file name is used, so that a summary cannot refer to files elsewhere.
            summary.found[index].file = summary.found[index].file.map {
                directory.appending(path: URL(filePath: $0).lastPathComponent).path(percentEncoded: false)
            }
        }
        return summary
    }

    private func decode<Value: Decodable>(_ type: Value.Type, _ url: URL, _ what: String) throws -> Value {
        let path = url.path(percentEncoded: false)
        do {
            let file = try FileHandle(forReadingFrom: url)
            defer { file.closeFile() }
            let contents = try file.read(upToCount: Self.mostBytes + 1) ?? Data()
            guard contents.count <= Self.mostBytes else { throw CocoaError(.fileReadTooLarge) }
            return try JSONDecoder().decode(type, from: contents)
        } catch let error as DecodingError {
            throw SummaryError("\(path) is not the \(what) of an exploration: \(error)")
        } catch {
            throw SummaryError("cannot read \(path): \(error.localizedDescription)")
        }
    }

    static func json(_ summary: ExplorationSummary) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(summary), as: UTF8.self)
    }
}
