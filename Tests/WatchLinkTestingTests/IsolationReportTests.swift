import Foundation
import Processes
import Testing

@testable import WatchLinkTesting

@Suite("The report on a program's isolation")
struct IsolationReportTests {
    private typealias Run = (role: DeviceRole, kind: LintRun.Kind, outcomes: [LintChild.Outcome])

    private static let program = URL(filePath: "/nonexistent/my program")

    private static func outcome(
        _ reports: [LintReport], _ ending: ProcessEnding? = .exit(0), lastLines: [String] = []
    ) throws -> LintChild.Outcome {
        let lines = try reports.map { try $0.line.replacing("\n", with: "") }
        return LintChild.Outcome(transcript: LintTranscript(lines: lines), ending: ending, lastLines: lastLines)
    }

    /// What a program without trouble reports.
    private static let good = [
        LintReport(.activated), LintReport(.began, subject: "a reply handler"),
        LintReport(.returned, subject: "a reply handler"), LintReport(.finished, detail: "nothing happens any more"),
    ]

    /// The same without its end.
    private static let unfinished = Array(good.dropLast())

    private static func report(_ runs: [Run]) throws -> IsolationReport {
        try IsolationReport(runs, program: program)
    }

    @Test("Of a good run, only the calls are told, sorted and once")
    func good() throws {
        let others = [
            LintReport(.activated), LintReport(.began, subject: "a method"), LintReport(.returned, subject: "a method"),
            LintReport(.finished, detail: "nothing happens any more"),
        ]
        let report = try Self.report([
            (.host, .answered, [try Self.outcome(Self.good)]), (.companion, .answered, [try Self.outcome(Self.good)]),
            (.host, .called, [try Self.outcome(others)]),
        ])
        #expect(report.findings == [])
        #expect(report.notes == [])
        #expect(report.checked == ["a method", "a reply handler"])
    }

    @Test("A program that never activates its session cannot be checked; its path and its last words are told")
    func silent() throws {
        let outcome = try Self.outcome([], .exit(3), lastLines: ["one", "two"])
        let failure = try #require(throws: IsolationCheck.Failure.self) {
            try Self.report([(.host, .answered, [outcome])])
        }
        let text = failure.description
        let start = "/nonexistent/my program did not activate its session (it ended with exit code 3): "
        #expect(text.hasPrefix(start), "\(text)")
        #expect(text.hasSuffix("; its last lines:\none\ntwo"), "\(text)")
    }

    @Test("A program of which no handler was called is to be fed")
    func unfed() throws {
        let lines = [LintReport(.activated), LintReport(.finished)]
        let report = try Self.report([(.host, .answered, [try Self.outcome(lines)])])
        #expect(report.notes.count == 1)
        let note = try #require(report.notes.first)
        #expect(note.hasPrefix("no handler of a message was called: "), "\(note)")
    }

    @Test("The ends of runs are told, each once: without activation, in the middle, and in a call")
    func ends() throws {
        let crashed = Self.unfinished + [LintReport(.began, subject: "b"), LintReport(.trap, detail: "SIGSEGV")]
        let report = try Self.report([
            (.host, .answered, [try Self.outcome(Self.good)]),
            (.host, .failing, [try Self.outcome([], .signal(9)), try Self.outcome([], .signal(9))]),
            (.companion, .failing, [try Self.outcome([], nil)]),
            (.companion, .answered, [try Self.outcome(Self.unfinished, .exit(1))]),
            (.companion, .failing, [try Self.outcome(crashed, .signal(11))]),
        ])
        #expect(
            report.notes == [
                "as a phone it did not activate its session (signal 9 ended it)",
                "as a watch it did not activate its session (it did not end)",
                "as a watch the run “answered” was cut short (it ended with exit code 1)",
                "as a watch the program ended in the call of b: SIGSEGV; the content was not the counterpart's own",
                "the finding in the call of b ended a run: check again when it is repaired",
            ])
        #expect(report.checked == ["a reply handler", "b"])
    }

    @Test("A call that ended the run with synthetic content was left out in the next one, and needs no other check")
    func calledAgain() throws {
        let lines = Self.unfinished + [LintReport(.blocked, subject: "b")]
        let report = try Self.report([(.host, .called, [try Self.outcome(lines)])])
        #expect(report.findings.map(\.kind) == [.blocked])
        #expect(report.notes.filter { $0.contains("ended a run") } == [])
    }

    @Test("A hint is told with its name")
    func hints() throws {
        let lines =
            [LintReport(.hint, subject: "aName", detail: "advice"), LintReport(.hint, detail: "words")] + Self.good
        let report = try Self.report([(.host, .answered, [try Self.outcome(lines)])])
        #expect(report.notes == ["hint “aName”: advice", "words"])
    }

    @Test("Findings are sorted, and the devices of the same one are counted; that places are unknown is told")
    func findings() throws {
        func blocked(_ call: String) -> [LintReport] { Self.unfinished + [LintReport(.blocked, subject: call)] }
        let report = try Self.report([
            (.host, .called, [try Self.outcome(blocked("z")), try Self.outcome(blocked("a"))]),
            (.companion, .called, [try Self.outcome(blocked("z"))]),
        ])
        let texts = report.findings.map { finding in String(finding.text.prefix { $0 != ":" }) }
        let start = "does not return within 5 s (in the call of"
        #expect(texts == ["\(start) a)", "\(start) z)"])
        #expect(report.findings.map(\.roles) == [[.host], [.host, .companion]])
        #expect(report.notes.count == 1)
        let note = try #require(report.notes.first)
        let reason = SourceLines.tool == nil ? "lines are unknown without " : "some places are unknown: "
        #expect(note.hasPrefix(reason), "\(note)")
    }
}

@Suite("Findings of several runs")
struct SameFindingTests {
    private static func finding(
        _ kind: IsolationFinding.Kind = .isolatedCode, place: String? = "a.swift:1", function: String? = "f()",
        text: String = "a", roles: [DeviceRole] = [.host]
    ) -> IsolationFinding {
        IsolationFinding(kind: kind, place: place, function: function, text: text, cure: "cure", roles: roles)
    }

    private static func found(_ findings: IsolationFinding...) -> [IsolationFinding] {
        findings.reduce(into: []) { IsolationReport.add($1, to: &$0) }
    }

    @Test("Unknown places are explained: by the missing tool, or by the program's form")
    func unknownPlaces() {
        let (known, unknown) = (Self.finding(), Self.finding(place: nil))
        for tool in [nil, "/usr/bin/addr2line"] {
            #expect(IsolationReport.note(onPlacesOf: [], tool: tool) == nil)
            #expect(IsolationReport.note(onPlacesOf: [known], tool: tool) == nil)
        }
        let toolless = IsolationReport.note(onPlacesOf: [known, unknown], tool: nil)
        #expect(toolless?.hasPrefix("lines are unknown without ") == true, "\(toolless ?? "")")
        let formless = IsolationReport.note(onPlacesOf: [known, unknown], tool: "/usr/bin/addr2line")
        #expect(formless?.hasPrefix("some places are unknown: ") == true, "\(formless ?? "")")
    }

    @Test("The same finding on another device is one of both, and on the same device, one")
    func same() {
        let found = Self.found(Self.finding(), Self.finding(roles: [.companion]), Self.finding())
        #expect(found == [Self.finding(roles: [.host, .companion])])
        let words = Self.found(Self.finding(), Self.finding(text: "b", roles: [.companion]))
        #expect(words == [Self.finding(roles: [.host, .companion])])
        let nowhere = Self.found(Self.finding(place: nil), Self.finding(place: nil, roles: [.companion]))
        #expect(nowhere == [Self.finding(place: nil, roles: [.host, .companion])])
    }

    @Test("Another trouble, function or place is another finding, and so are other words about an unknown place")
    func others() {
        let pairs = [
            (Self.finding(), Self.finding(.wrongQueue)), (Self.finding(), Self.finding(function: "g()")),
            (Self.finding(), Self.finding(place: "a.swift:2")), (Self.finding(), Self.finding(place: nil)),
            (Self.finding(place: nil), Self.finding(place: nil, text: "b")),
        ]
        for (first, second) in pairs {
            let found = Self.found(first, second)
            #expect(found == [first, second])
        }
    }
}
