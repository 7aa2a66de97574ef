import Foundation
import Processes
import TestSupport
import Testing
import VirtualTime

/// Faults on demand, as a user injects them on the command line.
@Suite("Trials", .serialized)
struct TrialTests {
    /// The scenarios of the package.
    private static let folder = ProjectFiles.root.appending(path: "Config/scenarios")
    private static let names = ["commute", "first-run", "gym-locker", "phone-reboots", "tunnels", "two-watches"]

    /// The ones that take only seconds of real time.
    private static let short = ["first-run", "phone-reboots", "two-watches"]

    private func run(_ bench: TestBench, _ name: String, _ words: String...) throws -> String {
        let junit = bench.path + "/junit.xml"
        let result = try bench.watchlink(
            [
                "scenario", "run", Self.folder.appending(path: "\(name).json5").path(percentEncoded: false), "--seed",
                "7", "--junit", junit,
            ] + words)
        #expect(result.code == 0, "\(result.output)\(result.errors)")
        let report = try String(contentsOfFile: junit, encoding: .utf8)
        #expect(report.contains("failures=\"0\""))
        return result.output
    }

    @Test("Every scenario has its expected outcome, the same in real and in virtual time", arguments: names)
    func scenario(_ name: String) throws {
        let bench = try TestBench()
        let virtual = World.isAvailable ? try run(bench, name, "--virtual") : nil
        guard virtual == nil || Self.short.contains(name) else { return }
        let real = try run(bench, name)
        #expect(real.contains("✔"), "\(virtual ?? "") \(real)")
        #expect((virtual ?? real) == real, "\(virtual ?? "") \(real)")
    }

    @Test("Every scenario of the package is covered")
    func all() throws {
        let files = try FileManager.default.contentsOfDirectory(atPath: Self.folder.path(percentEncoded: false))
            .sorted()
        #expect(files == Self.names.map { $0 + ".json5" })
    }

    @Test("One file and one seed give one order of events; an unexpected outcome fails")
    func order() throws {
        let bench = try TestBench()
        let file = try bench.write(
            "s.json5",
            """
            { name: "order", steps: [
                { at: 0, jitter: 0.3, on: "watch", do: "submit", count: 1 },
                { at: 0, jitter: 0.3, on: "phone", do: "condition", to: "wifi" },
                { at: 0, jitter: 0.3, on: "watch", do: "fault", rule: "drop context" },
                { at: 0, jitter: 0.3, on: "phone", do: "send", kind: "user-info" },
                { at: 0.4, do: "settle" } ],
              expect: { stored: 2 } }
            """)
        let runs = try (1...2).map { _ in try bench.watchlink(["scenario", "run", file, "--seed", "5"]) }
        #expect(runs[0].output == runs[1].output)
        #expect(runs[0].output.contains("✘ the phone stores 2 quizzes: it stores 1"))
        #expect(runs.map(\.code) == [1, 1])
    }

    @Test(
        "An invalid scenario is refused with line and key",
        arguments: [
            ("{ steps: [] }", "name"), ("{ name: 'x' }", "steps"),
            ("{ name: 'x', steps: [{ do: 'dance' }] }", "steps[0].do"),
            ("{ name: 'x', steps: [{ do: 'condition', to: 'latency=8' }] }", "steps[0].to"),
            ("{ name: 'x', steps: [{ do: 'fault', rule: 'drop' }] }", "steps[0].rule"),
            ("{ name: 'x', steps: [{ do: 'settle', colour: 1 }] }", "steps[0].colour"),
            ("{ name: 'x', steps: [{ do: 'await' }] }", "steps[0].log"),
            ("{ name: 'x', steps: [{ do: 'settle' }], expect: { sorted: 1 } }", "expect.sorted"),
        ])
    func invalid(_ text: String, _ key: String) throws {
        let bench = try TestBench()
        let result = try bench.watchlink(["scenario", "check", try bench.write("s.json5", text)])
        #expect(result.code == ExitCode.notConfigured.rawValue)
        #expect(result.errors.contains(key), "\(result.errors)")
    }

    @Test("A link is conditioned on the command line, which shows the condition")
    func link() throws {
        let bench = try TestBench()
        let (host, companion) = (try bench.start("host"), try bench.start("companion"))
        let far = try bench.watchlink(["link", "companion", "condition", "bluetooth-far", "in.latency=1ms"])
        #expect(far.code == 0, "\(far)")
        #expect(far.output.contains("out.latency=150ms"))
        #expect(far.output.contains("in.latency=1ms"))
        let status = try bench.watchlink(["link", "status"]).output
        #expect(status.contains("perfect"))
        let gone = try bench.watchlink(["link", "host", "condition", "out-of-range"])
        #expect(gone.output.contains("out of range"))
        companion.expectLines(containing: "reachable=false")
        let conditioned = try bench.watchlink(["link", "condition", "perfect"]).output
        #expect(conditioned.contains("up"))
        companion.expectLines(2, containing: "reachable=true")
        let wrong = try bench.watchlink(["link", "condition", "latency=fast"])
        #expect(wrong.code == 2)
        #expect(wrong.errors.contains("latency"))
        withExtendedLifetime(host) {}
    }

    @Test("Faults are added, listed and ended on the command line")
    func faults() throws {
        let bench = try TestBench()
        let (host, companion) = (try bench.start("host"), try bench.start("companion"))
        let rule = try bench.watchlink(["faults", "host", "drop", "reply", "times=1"])
        #expect(rule.output.contains("drop out reply times=1"))
        try bench.expectCode(0, of: ["faults", "disk", "full", "after=2"])
        let reachability = try bench.watchlink(["faults", "companion", "reachability", "never", "silent"]).output
        #expect(reachability.contains("never"))
        let everything = try bench.watchlink(["faults", "drop", "everything"]).errors
        #expect(everything.contains("message, reply"))
        for side in ["host", "companion"] { try bench.expectCode(0, of: ["faults", side, "clear"]) }
        try bench.expectCode(0, of: ["submit", try bench.quizzes(2), "--wait"])
        withExtendedLifetime((host, companion)) {}
    }

    /// Returns the options for the services of workouts, which are one program with a word for each.
    private func workouts(_ bench: TestBench, document: String) throws -> [String] {
        let program = TestBench.program("Workouts").path(percentEncoded: false)
        let services = try ["host", "companion"].flatMap { side in
            let script = try bench.write("\(side).sh", "#!/bin/sh\nexec '\(program)' \(side) \"$@\"\n")
            try TestBench.install(script, at: "\(bench.path)/\(side)")
            return ["--\(side)", "\(bench.path)/\(side)"]
        }
        return services + ["--document", try bench.write("workout.json", document)]
    }

    @Test("An application of one's own is tortured, too")
    func ownApplication() throws {
        let bench = try TestBench()
        let options = try workouts(
            bench, document: #"{"sport": "run", "startedAt": "2026-11-20T18:30:00Z", "samples": []}"#)
        let result = try TestBench.run(
            "watchlink-torture", ["--rounds", "3", "--application", "workouts", "--verbose"] + options)
        #expect(result.code == 0, "\(result.errors)")
        #expect(result.output.contains("3 rounds"), "\(result)")
        #expect(result.errors.contains("host | "), "\(result.errors)")
        #expect(result.errors.contains("workout stored"), "\(result.errors)")
    }

    @Test("An application whose payloads have files is tortured with them")
    func ownApplicationWithFiles() throws {
        let bench = try TestBench()
        let options = try workouts(
            bench, document: #"{"sport": "run", "startedAt": "2026-11-20T18:30:00Z", "samples": []}"#)
        let track = try bench.write("track.gpx", String(repeating: "place\n", count: 20_000))
        let result = try TestBench.run(
            "watchlink-torture", ["--rounds", "3", "--application", "workouts", "--verbose", "--file", track] + options)
        #expect(result.code == 0, "\(result.errors)")
        #expect(result.output.contains("3 rounds"), "\(result)")
        #expect(result.errors.contains("workout file kept"), "\(result.errors)")
        let quiz = try TestBench.run("watchlink-torture", ["--rounds", "1", "--file", track])
        #expect(quiz.code == 2 && quiz.errors.contains("a quiz has no file"), "\(quiz)")
    }

    @Test("Services that would keep every promise because they accept nothing are no subject of a torture")
    func refusedDocuments() throws {
        let bench = try TestBench()
        let invalid = try workouts(
            bench, document: #"{"sport": "", "startedAt": "2026-11-20T18:30:00Z", "samples": []}"#)
        let rejected = try TestBench.run(
            "watchlink-torture", ["--rounds", "1", "--application", "workouts"] + invalid)
        #expect(rejected.code == 1)
        #expect(rejected.errors.contains("the companion rejects the document: sport: is empty"), "\(rejected)")
        let unknown = try TestBench.run("watchlink-torture", ["--rounds", "1", "--application", "runs"] + invalid)
        #expect(unknown.errors.contains("no application “runs”; name one of: quizzes, workouts"), "\(unknown)")
        for (words, part) in [
            (["--host", "/bin/true"], "--host and --companion belong together"),
            (["--document", "/nowhere"], "--application and --document belong together"),
            (
                ["--application", "a", "--document", "/nowhere"],
                "The file doesn’t exist. Name a file with one JSON object"
            ),
            (
                ["--application", "a", "--document", try bench.write("list.json", "[1]")],
                "Name a file with one JSON object"
            ),
            (["--host", "/nowhere/h", "--companion", "/nowhere/c"], "/nowhere/h is no program"),
        ] {
            let result = try TestBench.run("watchlink-torture", ["--rounds", "1"] + words)
            #expect(result.code != 0 && result.errors.contains(part), "\(words): \(result)")
        }
    }

    @Test("Some rounds of torture lose nothing")
    func torture() throws {
        let result = try TestBench.run("watchlink-torture", ["--rounds", "3"])
        #expect(result.code == 0, "\(result.errors)")
    }
}
