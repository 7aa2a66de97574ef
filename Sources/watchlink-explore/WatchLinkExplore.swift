import Foundation
import ServiceRuntime
import VirtualTime

/// Runs a phone's and a watch's program in virtual time, seed after seed, and tells what goes wrong.
@main
enum WatchLinkExplore {
    /// Something was found. The codes below are those of the other programs.
    private static let found: Int32 = 3

    private static let options = [
        OptionDefinition("phone", placeholder: "PROGRAM", help: "the phone's program and its words, in one text"),
        OptionDefinition("watch", placeholder: "PROGRAM", help: "the watch's"),
        OptionDefinition("seeds", placeholder: "A...B", help: "these seeds; 1...100"),
        OptionDefinition("hours", placeholder: "H", help: "how long each seed's world lasts, in its own time; 1"),
        OptionDefinition(
            "kills", placeholder: "N", help: "how often a seed kills each device at most, and starts it again; 1"),
        OptionDefinition("jobs", placeholder: "N", help: "worlds at a time; as many as there are cores"),
        OptionDefinition("tries", placeholder: "N", help: "worlds that a failure may take to be made small; 60"),
        OptionDefinition("findings", placeholder: "DIR", help: "a file there for each seed that fails, made small"),
        OptionDefinition("traces", placeholder: "DIR", help: "a file there for each seed: what its devices wrote"),
        OptionDefinition("replay", placeholder: "FILE", help: "a finding's world once more, and nothing else"),
        OptionDefinition(
            "library", placeholder: "FILE", help: "\(Conductor.libraryName), if it is not beside this program"),
    ]

    static func main() {
        ToolProgram.run("watchlink-explore", options: options, help: help) { parsed in
            guard parsed.operands.isEmpty else { throw UsageError("unexpected “\(parsed.operands[0])”") }
            if let file = parsed["replay"] { return try replay(file, library: parsed["library"]) }
            let request = try ExploreRequest(parsed)
            let start = ContinuousClock.now
            let report = try Exploration(request).run()
            if let error = report.error { throw error }
            try tell(report, request, seconds: (ContinuousClock.now - start) / .seconds(1))
            return try end(isFound: !report.complaints.isEmpty || !report.unrepeatable.isEmpty)
        }
    }

    private static func tell(_ report: Exploration.Report, _ request: ExploreRequest, seconds: Double) throws {
        let complaints = report.complaints.sorted { $0.key < $1.key }
        guard !request.wantsJSON else {
            try StandardOutput.print(
                JSONValue.object([
                    "seeds": .integer(Int64(report.runs)), "seconds": .number(seconds),
                    "found": .array(
                        complaints.map {
                            .object(["seed": .integer(Int64(clamping: $0.key)), "what": .string($0.value)])
                        }),
                    "unrepeatable": .array(report.unrepeatable.sorted().map { .integer(Int64(clamping: $0)) }),
                    "findings": .array(report.files.sorted().map { .string($0) }),
                ]).text(pretty: true))
            return
        }
        for (seed, complaint) in complaints { try StandardOutput.print("seed \(seed): \(complaint)") }
        for seed in report.unrepeatable.sorted() {
            try StandardOutput.print("seed \(seed): not the same when it ran again: something outside decides")
        }
        for file in report.files.sorted() { try StandardOutput.print("watchlink-explore --replay \(file)") }
        let time = String(format: "%.1f", seconds)
        try StandardOutput.print("\(report.runs) seeds in \(time) s, \(complaints.count) of them with a finding")
    }

    private static func replay(_ path: String, library: String?) throws -> ExitCode {
        let finding = try Finding(path: path)
        guard let script = finding.script, let course = finding.jointCourse else {
            throw UsageError("--replay \(path): that is a finding of one program; the program itself replays it")
        }
        for warning in finding.warnings(for: try script.builds()) {
            FileHandle.standardError.write(Data("watchlink-explore: \(warning)\n".utf8))
        }
        var conductor = try Conductor(library: library)
        conductor.settings = finding.settings
        let performance = try conductor.perform(script, course)
        try StandardOutput.print(PerformanceText(performance).text, terminator: "")
        let complaint = Complaint(about: performance)
        try StandardOutput.print(complaint.map { $0.description } ?? "nothing went wrong this time")
        return try end(isFound: complaint != nil)
    }

    private static func end(isFound: Bool) throws -> ExitCode {
        guard isFound else { return .success }
        try StandardOutput.flush()
        exit(found)
    }

    private static func help(_ parser: OptionParser) -> String {
        """
        watchlink-explore: runs a phone's and a watch's program in virtual time. A seed decides the order of everything in them, and when one
        is killed; the same seed gives the same bytes. The programs are those that import WatchConnectivity, as they are.

        Wrong is: a crash, a dead-lock, an exit code other than 0, and a line on standard error that begins with FINDING.

        Examples:
          watchlink-explore --phone .build/debug/PhoneApp --watch ".build/debug/WatchApp --quiz 3"
          watchlink-explore --phone PhoneApp --watch WatchApp --seeds 1...10000 --hours 24 --findings findings
          watchlink-explore --replay findings/seed-199.json

        Options:
        \(parser.help)

        Exit codes: 0 nothing was found, 3 something was, 1 it could not be run, 2 wrong words.
        """
    }
}
