import CassetteReplay
import Cassettes
import Configuration
import Foundation
import ServiceRuntime
import Words

/// The findings of a check of cassettes: as text or JSON on standard output, and as SARIF for a code host.
struct LintReport {
    let judgement: LintJudgement
    /// The level from which findings count.
    let level: LintLevel
    /// The number of cassettes.
    let cassettes: Int
    /// The number of runs with an unknown value.
    let tried: Int
    /// Remarks on what was not checked.
    let notes: [String]

    func write(_ options: ParsedOptions) throws {
        try StandardOutput.print(options.has("json") ? try json.text(pretty: true) : text)
        if let path = options["sarif"] { try ReportFile.write(try sarif.json.text(pretty: true), to: path) }
    }

    // MARK: - Text

    private var text: String {
        let isUntested = { (found: LintJudgement.Finding) in
            found.finding.rule == .untestedEnumeration && found.expectation.reason == nil
        }
        let lines =
            judgement.findings.filter { !isUntested($0) }.map(line) + untested(judgement.findings.filter(isUntested))
        let unseen = judgement.unseen.map(\.unseenWords)
        return (lines + unseen + notes.map { "note: \($0)" }).map { TerminalText.printable($0) }.joined(separator: "\n")
            + (lines.isEmpty && unseen.isEmpty && notes.isEmpty ? "" : "\n\n") + summary
    }

    private func line(_ found: LintJudgement.Finding) -> String {
        let finding = found.finding
        let place = "\(finding.cassette)/\(CassetteFile.events):\(finding.event)"
        let rank = finding.rule.isNote ? "note" : finding.rule.level.rawValue
        return "\(place): \(rank): \(Self.sentence(finding)) Cure: \(finding.rule.cure) [\(finding.name)]"
            + found.expectation.words
    }

    /// Returns a line for the enumerations of each kind that no build was tried with: there can be many.
    private func untested(_ found: [LintJudgement.Finding]) -> [String] {
        Dictionary(grouping: found.map(\.finding), by: \.kind).sorted { $0.key < $1.key }.compactMap { kind, findings in
            guard let first = findings.first, findings.count > 1 else {
                return found.first { $0.finding.kind == kind }.map(line)
            }
            let names = findings.map(\.path).joined(separator: ", ")
            return
                "\(first.cassette)/\(CassetteFile.events):\(first.event): note: \(kind): these behave as enumerations, and no build was tried with an unknown value: \(names). Cure: \(first.rule.cure) [\(kind) … \(first.rule.rawValue)]"
        }
    }

    /// Returns the kind, the key path and what was seen.
    private static func sentence(_ finding: LintFinding) -> String {
        "\(finding.kind)\(finding.path.isEmpty ? "" : " \(finding.path)"): \(finding.text)"
            + (finding.text.hasSuffix("?") ? "" : ".")
    }

    private var summary: String {
        let counts = LintLevel.allCases.map { "\(judgement.count(of: $0)) \($0.rawValue)" }.joined(separator: ", ")
        let notes = judgement.findings.count { $0.finding.rule.isNote }
        let left = judgement.findings.count { $0.expectation.isMet }
        let runs = tried == 0 ? "" : ", \(tried) \(tried == 1 ? "run" : "runs") with an unknown value"
        return "\(cassettes) \(cassettes == 1 ? "cassette" : "cassettes")\(runs): \(counts)"
            + (left > 0 ? ", \(left) expected" : "") + (notes > 0 ? ", \(notes) \(notes == 1 ? "note" : "notes")" : "")
            + "; \(judgement.findings.count { $0.counts(from: level) }) at --level \(level.rawValue)"
    }

    // MARK: - Machines

    private var json: JSONValue {
        let worst = judgement.findings.filter { $0.counts(from: .source) }.map(\.finding.rule.level).max()
        let counts = LintLevel.allCases.map { ($0.rawValue, JSONValue.integer(Int64(judgement.count(of: $0)))) }
        return [
            "cassettes": .integer(Int64(cassettes)), "level": .string(level.rawValue),
            "worst": worst.map { .string($0.rawValue) } ?? .null,
            "counts": .object(Dictionary(counts) { $1 }), "tried": .integer(Int64(tried)),
            "findings": .array(judgement.findings.map(Self.json)),
            "unseen": .array(judgement.unseen.map { .string($0.change) }),
            "notes": .array(notes.map { .string($0) }),
        ]
    }

    private static func json(_ found: LintJudgement.Finding) -> JSONValue {
        let finding = found.finding
        return [
            "rule": .string(finding.rule.rawValue), "level": .string(finding.rule.level.rawValue),
            "isNote": .boolean(finding.rule.isNote), "name": .string(finding.name),
            "cassette": .string(finding.cassette), "event": .integer(Int64(finding.event)),
            "sender": .string(finding.kind.sender), "kind": .string(finding.kind.content.rawValue),
            "path": .string(finding.path), "class": finding.className.map { .string($0) } ?? .null,
            "count": .integer(Int64(finding.count)), "text": .string(finding.text),
            "cure": .string(finding.rule.cure), "reason": found.expectation.reason.map { .string($0) } ?? .null,
            "expired": .boolean(found.expectation.isExpired),
        ]
    }

    private var sarif: SARIFDocument {
        let summaries = LintRule.allCases.map { ($0.rawValue, $0.summary) }
        return SARIFDocument(
            tool: "watchlink lint", results: judgement.findings.map(Self.result),
            summaries: Dictionary(summaries) { $1 })
    }

    private static func result(_ found: LintJudgement.Finding) -> SARIFDocument.Result {
        let finding = found.finding
        let rank =
            switch finding.rule.level {
            case _ where !found.counts(from: .source): "note"
            case .decodes: "error"
            case .meaning: "warning"
            case .source: "note"
            }
        return SARIFDocument.Result(
            rule: finding.rule.rawValue, level: rank,
            text: "\(sentence(finding)) Cure: \(finding.rule.cure) [\(finding.name)]",
            cassette: finding.cassette, event: finding.event,
            properties: ["level": .string(finding.rule.level.rawValue), "name": .string(finding.name)])
    }
}
