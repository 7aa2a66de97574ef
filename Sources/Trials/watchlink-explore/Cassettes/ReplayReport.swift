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
    /// The seed whose course this is; nil in real time, and for two recordings.
    let seed: UInt64?
    /// The seed whose course this is, if the one that was asked for takes another by chance.
    let otherSeed: UInt64?
    /// The number of seeds that were tried.
    let tried: Int
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
            + (finding.isChance ? "; chance, as another seed does not have it" : "")
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

    /// The cassette with the events by which the findings are told: the accepted course, if there is one.
    private var reference: String { isAccepted ? AcceptedCourse.path(of: cassette, side) : cassette }

    private var json: JSONValue {
        [
            "cassette": .string(cassette), "side": .string(side), "subject": .string(subject),
            "verdict": .string(judgement.verdict.rawValue), "accepted": .boolean(isAccepted),
            "matched": .integer(Int64(comparison?.matched ?? 0)),
            "recorded": .integer(Int64(comparison?.recorded ?? 0)), "seconds": .number(seconds),
            "seed": seed.map { .integer(Int64(clamping: $0)) } ?? .null, "tried": .integer(Int64(tried)),
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
            "chance": .boolean(finding.isChance), "expired": .boolean(finding.expectation.isExpired),
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
                    rule: finding.deviation.kind.name, level: level,
                    text: "\(place): \(finding.deviation.text) [\(finding.deviation.name)]", cassette: reference,
                    event: finding.deviation.recorded ?? 1, properties: ["name": .string(finding.deviation.name)])
            })
    }

    /// Returns a test's name that no other one has: the change, with its event if there was one of that name before.
    private static func newName(of deviation: Deviation, _ names: inout Set<String>) -> String {
        let place = "\(deviation.name), \(deviation.place)"
        let numbered = (2...).lazy.map { "\(place), \($0)" }
        let name = [deviation.name, place].first { !names.contains($0) } ?? numbered.first { !names.contains($0) }
        names.insert(name ?? place)
        return name ?? place
    }

    private var suite: JUnitDocument.Suite {
        var names: Set<String> = []
        let failures = judgement.findings.filter { $0.verdict > .equivalent }.map { finding in
            JUnitDocument.Case(name: Self.newName(of: finding.deviation, &names), failure: line(finding))
        }
        let passed = failures.isEmpty ? [JUnitDocument.Case(name: "the \(side) gets on with the cassette")] : []
        return JUnitDocument.Suite(
            name: "watchlink replay \(cassette)", properties: ["side": side, "subject": subject], seconds: seconds,
            cases: passed + failures)
    }
}
