import Foundation
import ServiceRuntime

/// The summaries of several machines or nights as one.
struct Merge {
    private let summary: ExplorationSummary

    /// - Parameter directories: Those that were given as `--findings`.
    init(_ directories: ArraySlice<String>) throws {
        guard !directories.isEmpty else { throw UsageError("merge takes directories that were given as --findings") }
        var summaries: [ExplorationSummary] = []
        for directory in directories {
            let files = try SummaryFile.all(in: directory)
            guard !files.isEmpty else {
                throw SummaryError("\(directory) has no summary of an exploration, a file summary-….json")
            }
            summaries += try files.map { try $0.read() }
        }
        var all = summaries.removeFirst()
        for summary in summaries { all.add(summary) }
        summary = all
    }

    /// - Throws: If a shard is missing and nothing was found: then nobody knows.
    func run(junit: String?, wantsJSON: Bool) throws -> Bool {
        try SummaryReport(summary).write(junit: junit, wantsJSON: wantsJSON)
        let missing = summary.missing
        if summary.isGood, !missing.isEmpty {
            try StandardOutput.flush()
            throw SummaryError("not all of it is there, or came to its end: \(missing.joined(separator: ", "))")
        }
        return !summary.isGood
    }
}
