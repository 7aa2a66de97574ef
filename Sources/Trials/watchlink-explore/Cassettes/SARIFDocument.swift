import CassetteReplay
import Cassettes
import Configuration
import ServiceRuntime

/// The findings of a replay in the Static Analysis Results Interchange Format, version 2.1.0 (OASIS), which code hosts
/// show beside the lines of a change; the lines are those of the cassette's events.
struct SARIFDocument {
    private let report: ReplayReport

    init(_ report: ReplayReport) { self.report = report }

    var json: JSONValue {
        let findings = report.judgement.findings
        let rules = Set(findings.map(\.deviation.kind.name)).sorted().map { ["id": .string($0)] as JSONValue }
        let driver: JSONValue = [
            "name": "watchlink replay", "version": .string(Version.number), "rules": .array(rules),
        ]
        let run: JSONValue = ["tool": ["driver": driver], "results": .array(findings.map(result))]
        return ["version": "2.1.0", "runs": .array([run])]
    }

    private func result(_ finding: Judgement.Finding) -> JSONValue {
        let level =
            switch finding.verdict {
            case .same: "none"
            case .equivalent: "note"
            case .changed: "warning"
            case .broken: "error"
            }
        // A deviation without a recorded event belongs to the recording as a whole.
        let line = Int64(finding.deviation.recorded ?? 1)
        let place: JSONValue = [
            "artifactLocation": ["uri": .string("\(report.cassette)/\(CassetteFile.events)")],
            "region": ["startLine": .integer(line)],
        ]
        return [
            "ruleId": .string(finding.deviation.kind.name), "level": .string(level),
            "message": ["text": .string("\(report.side): \(finding.deviation.text)")],
            "locations": .array([["physicalLocation": place]]),
        ]
    }
}
