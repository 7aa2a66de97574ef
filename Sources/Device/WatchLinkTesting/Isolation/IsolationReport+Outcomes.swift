import Configuration
import Foundation
import LinkProtocol
import Processes
import WatchConnectivity

extension IsolationReport {
    /// - Throws: ``IsolationCheck/Failure`` if no run activated the session.
    init(_ runs: [(role: DeviceRole, kind: LintRun.Kind, outcomes: [LintChild.Outcome])], program: URL) throws {
        let path = program.resolvingSymlinksInPath().plainPath
        let outcomes = runs.flatMap(\.outcomes)
        guard outcomes.contains(where: { $0.transcript.isActivated }) else {
            throw IsolationCheck.Failure(description: Self.silence(path, outcomes.first))
        }
        let observations = outcomes.flatMap(\.transcript.observations)
        let resolver = StackResolver(observations.flatMap { [$0.stack, $0.mainStack].compactMap { $0 } })
        var found: [IsolationFinding] = []
        var notes: [String] = []
        for run in runs {
            let writer = FindingWriter(resolver: resolver, role: run.role, program: path)
            for observation in run.outcomes.flatMap(\.transcript.observations) {
                for finding in writer.findings(observation) { Self.add(finding, to: &found) }
            }
            notes += Self.notes(run.role, run.kind, run.outcomes)
        }
        if let note = Self.note(onPlacesOf: found, tool: SourceLines.tool) { notes.append(note) }
        let called = Set(outcomes.flatMap { $0.transcript.returned + [$0.transcript.fatalCall].compactMap { $0 } })
        if !called.contains("a reply handler"), !called.contains("an error handler") {
            notes.append(
                "no handler of a message was called: if the program sends only when a person asks it to, pass the lines that it reads with --feed"
            )
        }
        findings = found.sorted { ($0.place ?? "~", $0.text) < ($1.place ?? "~", $1.text) }
        self.notes = notes.reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
        checked = called.sorted()
    }

    /// Adds a finding, or its device to the same finding.
    static func add(_ finding: IsolationFinding, to found: inout [IsolationFinding]) {
        let same = found.firstIndex { known in
            guard known.kind == finding.kind, known.function == finding.function else { return false }
            return known.place == finding.place && (known.place != nil || known.text == finding.text)
        }
        guard let same else { return found.append(finding) }
        for role in finding.roles where !found[same].roles.contains(role) { found[same].roles.append(role) }
    }

    /// Returns the reason why findings have no place; nil if all have one.
    ///
    /// - Parameter tool: The path of the tool that looks them up; nil if there is none.
    static func note(onPlacesOf findings: [IsolationFinding], tool: String?) -> String? {
        guard findings.contains(where: { $0.place == nil }) else { return nil }
        return tool == nil
            ? "lines are unknown without llvm-symbolizer or addr2line in the PATH: install LLVM or binutils"
            : "some places are unknown: is the program built for debugging, and unchanged since the check?"
    }

    private static func notes(
        _ role: DeviceRole, _ kind: LintRun.Kind, _ outcomes: [LintChild.Outcome]
    ) -> [String] {
        let side = role == .host ? "phone" : "watch"
        return outcomes.flatMap { outcome -> [String] in
            let transcript = outcome.transcript
            var notes: [String] = transcript.observations.compactMap { observation in
                let words = observation.detail ?? ""
                switch observation.kind {
                case .finding: return nil
                case .crash:
                    let call = observation.subject.map { " in the call of \($0)" } ?? ""
                    return "as a \(side) the program ended\(call): \(words); the content was not the counterpart's own"
                case .hint:
                    return observation.subject.map { "hint “\($0)”: \(words)" } ?? words
                }
            }
            if !transcript.isActivated {
                notes.append("as a \(side) it did not activate its session (\(ending(outcome.ending)))")
            } else if !transcript.isFinished, transcript.fatalCall == nil {
                notes.append("as a \(side) the run “\(kind.rawValue)” was cut short (\(ending(outcome.ending)))")
            } else if kind != .called, transcript.fatalCall != nil {
                let call = transcript.fatalCall ?? ""
                notes.append("the finding in the call of \(call) ended a run: check again when it is repaired")
            }
            return notes
        }
    }

    private static func ending(_ ending: ProcessEnding?) -> String {
        switch ending {
        case .exit(let code): "it ended with exit code \(code)"
        case .signal(let number): "signal \(number) ended it"
        case nil: "it did not end"
        }
    }

    private static func silence(_ path: String, _ outcome: LintChild.Outcome?) -> String {
        let lines = outcome?.lastLines ?? []
        let words = lines.isEmpty ? "" : "; its last lines:\n" + lines.joined(separator: "\n")
        return
            "\(path) did not activate its session (\(ending(outcome?.ending))): it must set the delegate of WCSession.default and call activate()\(words)"
    }
}
