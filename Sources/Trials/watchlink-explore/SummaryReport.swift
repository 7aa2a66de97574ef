import Foundation
import ServiceRuntime
import Words

/// The report of a summary: as text or JSON on standard output, and as JUnit XML for a CI server.
struct SummaryReport {
    private let summary: ExplorationSummary

    init(_ summary: ExplorationSummary) { self.summary = summary }

    func write(junit: String?, wantsJSON: Bool) throws {
        try StandardOutput.print(wantsJSON ? SummaryFile.json(summary) : SummaryText(summary).text)
        if let junit { try ReportFile.write(JUnitDocument([suite]).text, to: junit) }
    }

    /// A test case for each cause, each unrepeatable seed, and each promise; without causes, one that passes.
    private var suite: JUnitDocument.Suite {
        typealias Case = JUnitDocument.Case
        let causes = Cause.all(of: summary).map { cause in
            let replay = cause.example.file.map { "; watchlink explore replay \(ShellText.quoted($0))" } ?? ""
            return Case(name: cause.example.cause, failure: "\(cause.seedsText): \(cause.example.what)\(replay)")
        }
        let unrepeatable = summary.unrepeatable.map {
            Case(
                name: "seed \($0) is repeatable",
                failure: summary.partings?["\($0)"] ?? "something outside the seed influences it")
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
