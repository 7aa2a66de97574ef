import CassetteReplay
import Configuration
import Foundation
import ServiceRuntime

/// The outcome of a replay: as text or JSON on standard output, as JUnit XML and as SARIF for a CI server.
struct ReplayReport {
    let cassette: String
    let side: String
    /// The program, or the other cassette.
    let subject: String
    let judgement: Judgement
    let comparison: TapeComparison?
    /// True if the course was compared with an accepted one.
    let isAccepted: Bool
    /// True if a contract was given, and the course keeps it.
    let keepsContract: Bool
    /// The seed whose course this is, if the one that was asked for takes another by chance.
    let otherSeed: UInt64?
    let notes: [String]
    let seconds: Double
    /// Returns the names of the watches that an event of the recording, and one of the replay, was with, if there were
    /// several.
    let watches: (recorded: (Int) -> String?, replayed: (Int) -> String?)

    func write(_ options: ParsedOptions) throws {
        try StandardOutput.print(options.has("json") ? try json.text(pretty: true) : text)
        if let path = options["junit"] { try ReportFile.write(JUnitDocument([suite]).text, to: path) }
        if let path = options["sarif"] { try ReportFile.write(try sarif.json.text(pretty: true), to: path) }
    }

    // MARK: - Text

    private var text: String {
        let findings = lines.map { "  " + $0 }
        let unseen = judgement.unseen.map { "  \($0.unseenWords)" }
        return ([title] + findings + unseen + notes.map { "  \($0)" } + [summary]).joined(separator: "\n")
    }

    /// The heading.
    var title: String { "\(cassette), \(side), against \(subject): \(judgement.verdict.rawValue)" }

    /// A line for each difference, in the order of the first events at which they show; the same one at other events is
    /// counted.
    var lines: [String] {
        let texts = judgement.findings.map { "\($0.verdict) \(watch($0.deviation) ?? "") \($0.deviation.text)" }
        let counts = texts.reduce(into: [:]) { $0[$1, default: 0] += 1 }
        var told: Set<String> = []
        return zip(texts, judgement.findings).compactMap { text, finding in
            guard told.insert(text).inserted else { return nil }
            let count = counts[text] ?? 1
            return line(finding) + (count > 1 ? ", \(count) times" : "")
        }
    }

    private func line(_ finding: Judgement.Finding) -> String {
        let deviation = finding.deviation
        let place = [deviation.place, watch(deviation)].compactMap(\.self).joined(separator: ", ")
        return
            "\(finding.verdict.rawValue): \(place): \(deviation.text) [\(deviation.name)]\(finding.expectation.words)"
    }

    /// Returns the name of the watch with which a course departs from the other.
    private func watch(_ deviation: Deviation) -> String? {
        deviation.recorded.map(watches.recorded) ?? deviation.replayed.flatMap(watches.replayed)
    }

    private var summary: String {
        let found = comparison.map { "\($0.matched) of \($0.recorded) deeds found again" } ?? "no course was recorded"
        let basis = isAccepted ? ", compared with the accepted course" : ""
        let kept = keepsContract ? ", the contract is kept" : ""
        let chance = otherSeed.map { ", in the course of seed \($0): another one is chance" } ?? ""
        return found + basis + chance + kept + (seconds > 0 ? String(format: ", in %.2f s", seconds) : "")
    }

    // MARK: - Machines

    private var json: JSONValue {
        [
            "cassette": .string(cassette), "side": .string(side), "subject": .string(subject),
            "verdict": .string(judgement.verdict.rawValue), "accepted": .boolean(isAccepted),
            "matched": .integer(Int64(comparison?.matched ?? 0)),
            "recorded": .integer(Int64(comparison?.recorded ?? 0)), "seconds": .number(seconds),
            "findings": .array(judgement.findings.map { Self.json($0, watch: watch($0.deviation)) }),
            "unseen": .array(judgement.unseen.map { .string($0.change) }),
        ]
    }

    static func json(_ finding: Judgement.Finding, watch: String? = nil) -> JSONValue {
        [
            "verdict": .string(finding.verdict.rawValue), "change": .string(finding.deviation.name),
            "text": .string(finding.deviation.text), "kind": .string(finding.deviation.kind.name),
            "event": .string(finding.deviation.event), "watch": watch.map { .string($0) } ?? .null,
            "recorded": finding.deviation.recorded.map { .integer(Int64($0)) } ?? .null,
            "replayed": finding.deviation.replayed.map { .integer(Int64($0)) } ?? .null,
            "reason": finding.expectation.reason.map { .string($0) } ?? .null,
            "expired": .boolean(finding.expectation.isExpired),
        ]
    }

    private var sarif: SARIFDocument {
        SARIFDocument(
            tool: "watchlink replay",
            results: judgement.findings.map { finding in
                let level =
                    switch finding.verdict {
                    case .same: "none"
                    case .equivalent: "note"
                    case .changed: "warning"
                    case .broken: "error"
                    }
                let place = [side, watch(finding.deviation)].compactMap(\.self).joined(separator: ", ")
                // A deviation without a recorded event belongs to the recording as a whole.
                return SARIFDocument.Result(
                    rule: finding.deviation.kind.name, level: level, text: "\(place): \(finding.deviation.text)",
                    cassette: cassette, event: finding.deviation.recorded ?? 1)
            })
    }

    private var suite: JUnitDocument.Suite {
        let failures = judgement.findings.filter { $0.verdict > .equivalent }.map {
            JUnitDocument.Case(name: $0.deviation.name, failure: line($0))
        }
        let passed = failures.isEmpty ? [JUnitDocument.Case(name: "the \(side) gets on with the cassette")] : []
        return JUnitDocument.Suite(
            name: "watchlink replay \(cassette)", properties: ["side": side, "subject": subject], seconds: seconds,
            cases: passed + failures)
    }
}
