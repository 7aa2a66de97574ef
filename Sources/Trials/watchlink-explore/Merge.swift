import Foundation
import ServiceRuntime

/// The merged summaries of several machines or nights.
struct Merge {
    private let summary: ExplorationSummary

    /// - Parameter directories: Directories that were given as `--findings`.
    init(_ directories: ArraySlice<String>) throws {
        guard !directories.isEmpty else { throw UsageError("merge needs directories that were given as --findings") }
        var summaries: [ExplorationSummary] = []
        for directory in directories {
            let files = try SummaryFile.all(in: directory)
            guard !files.isEmpty else {
                throw SummaryError("\(directory) contains no summary of an exploration (summary-….json)")
            }
            summaries += try files.map { try $0.read() }
        }
        var all = summaries.removeFirst()
        for summary in summaries { all.add(summary) }
        summary = all
    }

    /// - Throws: ``SummaryError`` if a shard is missing and nothing was found: the result is then unknown.
    func run(junit: String?, wantsJSON: Bool) throws -> Bool {
        try SummaryReport(summary).write(junit: junit, wantsJSON: wantsJSON)
        let missing = summary.missing
        guard !missing.isEmpty else { return !summary.isGood }
        try StandardOutput.flush()
        let error = SummaryError("shards are missing or incomplete: \(missing.joined(separator: ", "))")
        guard !summary.isGood else { throw error }
        FileHandle.standardError.write(Data("watchlink explore: \(error)\n".utf8))
        return true
    }
}
