import Foundation
import ServiceRuntime
import Words

/// What is told of a summary: in words or JSON on standard output, and to a CI server.
struct SummaryReport {
    private let summary: ExplorationSummary

    init(_ summary: ExplorationSummary) { self.summary = summary }

    func write(junit: String?, wantsJSON: Bool) throws {
        try StandardOutput.print(wantsJSON ? SummaryFile.json(summary) : SummaryText(summary).text)
        if let junit { try Data(JUnitDocument([suite]).text.utf8).write(to: URL(filePath: junit), options: .atomic) }
    }

    /// A test for each cause, each unrepeatable seed, and each thing that must sometimes happen; one that all seeds pass.
    private var suite: JUnitDocument.Suite {
        typealias Case = JUnitDocument.Case
        let causes = Cause.all(of: summary).map { cause in
            let replay = cause.example.file.map { "; watchlink explore replay \(ShellText.quoted($0))" } ?? ""
            return Case(name: cause.example.cause, failure: "\(cause.seedsText): \(cause.example.what)\(replay)")
        }
        let unrepeatable = summary.unrepeatable.map {
            Case(name: "seed \($0) is the same each time", failure: "something outside decides")
        }
        let sometimes = summary.sometimes.keys.sorted().map { name in
            Case(
                name: "sometimes: \(name)",
                failure: summary.never.contains(name) ? "never in \(summary.runs) seeds" : nil)
        }
        let none = causes.isEmpty ? [Case(name: "no seed has a finding", failure: nil)] : []
        return JUnitDocument.Suite(
            name: "watchlink explore", properties: ["seeds": "\(summary.runs)"], seconds: summary.seconds,
            cases: none + causes + unrepeatable + sometimes)
    }
}
