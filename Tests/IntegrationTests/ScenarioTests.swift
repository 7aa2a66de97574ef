import Foundation
import TestSupport
import Testing
import VirtualTime

/// Scenarios with other programs, in real and in virtual time.
@Suite("Scenarios of programs", .serialized)
struct ScenarioTests {
    private static let program = TestBench.program("QuizPair").path(percentEncoded: false)
    private static let pair = ["--phone", program, "--watch", program]

    /// Runs a scenario in real time and, where worlds are available, in virtual time, which must give the same outcome.
    private func play(_ bench: TestBench, _ words: [String]) throws -> CommandResult {
        let real = try bench.watchlink(["scenario", "run"] + words)
        guard World.isAvailable else { return real }
        let virtual = try bench.watchlink(["scenario", "run", "--virtual"] + words)
        #expect(virtual.output == real.output, "\(virtual.output)\(virtual.errors)\n\(real.output)\(real.errors)")
        #expect(virtual.code == real.code, "\(virtual.output)\(virtual.errors)\n\(real.output)\(real.errors)")
        return real
    }

    @Test("Programs are killed, started, upgraded and controlled; expected ledgers, logs and files are checked")
    func deeds() throws {
        let bench = try TestBench()
        let file = try bench.write(
            "s.json5",
            """
            { name: "deeds", watches: 2, serving: "all", steps: [
                { at: "10ms", on: "watch", do: "await", log: "reachable=true" },
                { on: "watch2", do: "await", log: "reachable=true" },
                { on: "watch", do: "send", kind: "message", count: 3 },
                { on: "watch2", do: "send", kind: "message", count: 2 },
                { on: "watch", do: "await", log: "package in" },
                { on: "watch2", do: "await", log: "package in" },
                { at: 2, on: "phone", do: "kill" },
                { on: "phone", do: "start" },
                { on: "phone", do: "await", log: "session activated" },
                { on: "watch", do: "upgrade" },
                { on: "watch", do: "send", kind: "context" },
                { on: "watch2", do: "stop" },
                { at: 3, do: "settle" } ],
              expect: {
                delivered: { phone: { message: 5 } }, sent: { watch: { message: { replied: 3, failed: 0 } } },
                reachable: { watch: true }, log: { watch: "session activated" }, noLog: { watch: "session deactivated" },
                files: { watch: { "state/device": "-", "state/session.sqlite": "" } }, noFiles: { watch: ["notes.txt"] } } }
            """)
        let upgraded = "'\(Self.program)' careless"
        let result = try play(bench, [file, "--upgrade", "watch=\(upgraded)"] + Self.pair)
        #expect(result.code == 0, "\(result.output)\(result.errors)")
        for line in [
            "  watch2 send: message: 2 of 2 accepted", "  phone await: session activated", "  watch upgrade",
            "✔ 5 message items are delivered to the phone", "✔ 3 message items from the watch end as replied",
            "✔ the watch has “-” in the file state/device", "✔ the watch has no file notes.txt",
            "✔ the watch2 runs as it should",
        ] {
            #expect(result.output.split(separator: "\n").contains(line[...]), "\(line): \(result.output)")
        }
    }

    @Test("Recorded devices are asked to end: their cassettes are complete and have the last events")
    func recorded() throws {
        let bench = try TestBench()
        let file = try bench.write(
            "trip.json5",
            """
            { name: "recorded", steps: [
                { do: "await", log: "reachable=true" }, { do: "send", kind: "user-info" }, { at: 1, do: "settle" },
                { do: "send", kind: "message" } ] }
            """)
        for virtual in World.isAvailable ? [[], ["--virtual"]] : [[]] {
            let folder = "\(bench.path)/cassettes\(virtual.count)"
            let result = try bench.watchlink(
                ["scenario", "run", file, "--record", folder, "--keep", "*"] + virtual + Self.pair)
            #expect(result.code == 0, "\(result.output)\(result.errors)")
            let warning = "watchlink scenario: warning: “*” keeps the values at all key paths: nothing is redacted"
            #expect(result.errors.hasPrefix(warning), "\(virtual): \(result.errors)")
            let check = try bench.watchlink(["record", "check", "\(folder)/trip"])
            for side in ["phone", "watch"] {
                #expect(check.output.contains("/\(side)-1: complete; "), "\(virtual): \(check.output)\(check.errors)")
            }
            let path = "\(folder)/trip/watch-1/events.jsonl"
            let events = try String(contentsOfFile: path, encoding: .utf8)
            #expect(events.contains(#""k":"sendMessage""#), "\(virtual): \(events)")
        }
        let alone = try bench.watchlink(["scenario", "run", file, "--keep", "a"] + Self.pair)
        #expect(alone.code == 2 && alone.errors.contains("--keep needs --record"), "\(alone.output)\(alone.errors)")
    }

    @Test("Each expectation that does not hold is reported with the actual state")
    func failures() throws {
        let bench = try TestBench()
        let file = try bench.write(
            "s.json5",
            """
            { name: "failures", steps: [
                { do: "await", log: "reachable=true" }, { do: "send", kind: "message", count: 2 }, { at: 1, do: "settle" } ],
              expect: {
                delivered: { phone: { message: 3 } }, sent: { watch: { message: { replied: 1, failed: 1 } } },
                reachable: { watch: false }, log: { watch: "never said" }, noLog: { phone: "session activated" },
                files: { watch: { "state/device": "no text of it", "notes.txt": "" } },
                noFiles: { phone: ["state/device"] } } }
            """)
        let result = try play(bench, [file] + Self.pair)
        #expect(result.code == 1)
        for line in [
            "✘ 3 message items are delivered to the phone: 2 are",
            "✘ 1 message items from the watch end as replied: 2 do",
            "✘ 1 message items from the watch end as failed: 0 do",
            "✘ the watch does not reach its counterpart: it does",
            "✘ the watch logs “never said”: no line contains it",
            "✘ the phone does not log “session activated”: a line contains it",
            "✘ the watch has “no text of it” in the file state/device: it does not",
            "✘ the watch has the file notes.txt: the file does not exist",
            "✘ the phone has no file state/device: the file exists",
        ] {
            #expect(result.output.split(separator: "\n").contains(line[...]), "\(line): \(result.output)")
        }
    }

    @Test("A program that ends abnormally, or reports a finding, fails any scenario")
    func programs() throws {
        let bench = try TestBench()
        let file = try bench.write(
            "s.json5",
            "{ name: 'x', started: false, steps: [{ do: 'start', on: 'phone' }, { do: 'start' }, { at: 0.5, do: 'settle', on: 'phone' }] }"
        )
        let complaining = "/bin/sh -c 'echo FINDING: the tea is cold >&2'"
        let result = try play(bench, [file, "--phone", "/bin/false", "--watch", complaining])
        #expect(result.code == 1)
        #expect(result.output.contains("✘ the phone runs as it should: it exited with code 1\n"), "\(result.output)")
        #expect(
            result.output.contains("✘ the watch runs as it should: FINDING: the tea is cold\n"), "\(result.output)")
    }

    @Test("Each upgrade starts the next build, in the home of the one before it")
    func upgrades() throws {
        let bench = try TestBench()
        let file = try bench.write(
            "s.json5",
            """
            { name: "upgrades", steps: [
                { at: 0.5, do: "upgrade" }, { at: 1, do: "upgrade" }, { at: 1.5, do: "await", log: "third" } ],
              expect: { files: { watch: { note: "first second" } }, log: { watch: "third first second" } } }
            """)
        func shell(_ text: String) -> String { "/bin/sh -c '\(text)'" }
        let result = try play(
            bench,
            [
                file, "--phone", "/bin/sleep 30", "--watch", shell("echo first > note"), "--upgrade",
                "watch=" + shell("read text < note; echo $text second > note"), "--upgrade",
                "watch=" + shell("read text < note; echo third $text"),
            ])
        #expect(result.code == 0, "\(result.output)\(result.errors)")
    }

    @Test(
        "In virtual time a program crashes in the middle of its work, clocks are set, and disks fill up",
        .enabled(if: World.isAvailable, "Worlds do not exist under the thread sanitizer."))
    func worlds() throws {
        let bench = try TestBench()
        let steps = """
            { at: 1, on: "phone", do: "crash", step: 5 }, { at: 2, on: "phone", do: "start" },
            { at: 3, on: "watch", do: "clock", by: "26h" }, { at: 4, on: "watch", do: "send", kind: "user-info" },
            { at: 5, on: "watch", do: "clock", by: -3600 }, { at: 6, on: "phone", do: "storage", is: "full" },
            { at: 7, on: "watch", do: "send", kind: "file" },
            { at: 9, on: "phone", do: "storage", is: "good" }, { at: 10, on: "phone", do: "settle" }
            """
        let file = try bench.write("s.json5", "{ name: 'worlds', steps: [\(steps)] }")
        let result = try bench.watchlink(["scenario", "run", file, "--virtual", "--verbose"] + Self.pair)
        #expect(result.code == 0, "\(result.output)\(result.errors)")
        let logs = result.errors.split(separator: "\n")
        // The times of a log are those of its device's clock.
        #expect(
            logs.contains { $0.hasPrefix("watch | 2030-01-02T02:00:0") && $0.contains("transfer queued") }, "\(logs)")
        #expect(
            logs.contains { $0.hasPrefix("watch | 2030-01-02T01:00:0") && $0.contains("transfer queued") }, "\(logs)")
        #expect(
            logs.contains { $0.hasPrefix("watch | ") && $0.contains("cannot be stored now: No space left") }, "\(logs)")
        #expect(logs.count { $0.hasPrefix("phone | ") && $0.contains("control listening") } == 2)
        let real = try bench.watchlink(["scenario", "run", file] + Self.pair)
        #expect(real.code != 0, "\(real.errors)")
        #expect(real.errors.contains("“crash” works only in virtual time"), "\(real.errors)")
    }

    @Test("All entries of a ledger are counted, also beyond one page")
    func manySends() throws {
        let bench = try TestBench()
        let file = try bench.write(
            "s.json5",
            """
            { name: "many", steps: [
                { do: "send", kind: "user-info", count: 1000 }, { do: "send", kind: "context" },
                { do: "send", kind: "user-info", count: 600 }, { do: "settle" } ],
              expect: { delivered: { phone: { "user-info": 1600, context: 1 } } } }
            """)
        let result = try bench.watchlink(["scenario", "run", file] + (World.isAvailable ? ["--virtual"] : []))
        #expect(result.code == 0, "\(result.output)\(result.errors)")
    }

    @Test(
        "Arguments that do not fit the scenario are refused before anything runs",
        arguments: [
            ("{ at: 1, do: 'submit' }", [], "“submit” works only with services"),
            ("{ at: 1, do: 'settle' }], expect: { stored: 1 }, watchesOf: [{}", [], "watchesOf"),
            (
                "{ at: 1, do: 'upgrade' }", [],
                "the scenario upgrades the watch 1 times, but --upgrade watch=PROGRAM is given 0"
            ),
            ("{ do: 'crash' }", [], "steps[0].step: is missing"),
            ("{ do: 'clock', by: '2' }", [], "steps[0].by: “2” is not a valid duration"),
            ("{ do: 'clock' }", [], "by: is missing"), ("{ do: 'clock', by: '-366d' }", [], "up to one year"),
            ("{ do: 'storage', is: 'gone' }", [], "must be one of full, good"),
            ("{ do: 'storage' }", [], "is: is missing"),
            ("{ at: 1, do: 'settle' }", ["--upgrade", "watch=/bin/true"], "upgrades the watch 0 times"),
            (
                "{ at: 1, do: 'settle' }", ["--upgrade", "watch@2h=/bin/true"],
                "it must have the form watch=PROGRAM, with one of phone, watch;"
            ),
            (
                "{ at: 1, do: 'settle' }", ["--watch", "/bin/true"],
                "--watch is given 2 times; give it once, for all watches, or 1 times"
            ),
        ])
    func wrongWords(_ step: String, _ words: [String], _ message: String) throws {
        let bench = try TestBench()
        let file = try bench.write("s.json5", "{ name: 'x', steps: [\(step)] }")
        for verb in World.isAvailable ? [[], ["--virtual"]] : [[]] {
            let result = try bench.watchlink(["scenario", "run", file] + Self.pair + words + verb)
            #expect(result.code != 0, "\(result.output)\(result.errors)")
            #expect(result.errors.contains(message), "\(result.output)\(result.errors)")
            #expect(!result.output.contains("✔"))
        }
    }

    @Test(
        "Seeds run a scenario in many orders; a failed expectation is a finding, which contains the whole scenario",
        .enabled(if: World.isAvailable, "Worlds do not exist under the thread sanitizer."))
    func explore() throws {
        let bench = try TestBench()
        func scenario(_ count: Int) throws -> String {
            try bench.write(
                "s.json5",
                """
                { name: "hour", steps: [
                    { at: "5min", on: "phone", do: "kill" }, { at: "6min", on: "phone", do: "start" },
                    { at: "1h", do: "settle" } ],
                  expect: { delivered: { phone: { message: \(count) } }, reachable: { watch: true } } }
                """)
        }
        func explore(_ words: String...) throws -> CommandResult {
            try TestBench.run("watchlink", ["explore"] + words)
        }
        let words = ["--seeds", "1...2", "--tries", "2", "--findings", bench.path + "/findings"]
        let found = try TestBench.run("watchlink", ["explore"] + Self.pair + ["--script", try scenario(6)] + words)
        #expect(found.code == 3)
        // What the watch says itself is a finding beside that of the scenario.
        let findings = found.output.split(separator: "\n").filter { $0.hasPrefix("seeds ") }
        #expect(
            findings == [
                "seeds 1, 2: the scenario failed: FINDING: 6 message items are delivered to the phone: 7 are",
                "seeds 1, 2: the watch failed: FINDING: the phone has 18 of 21 points",
            ], "\(found.output)\(found.errors)")
        // The scenario does not repeat what is found of its devices.
        let alone = try TestBench.run("watchlink", ["explore"] + Self.pair + ["--script", try scenario(7)] + words)
        #expect(alone.code == 3)
        #expect(
            alone.output.split(separator: "\n").filter { $0.hasPrefix("seeds ") } == [
                "seeds 1, 2: the watch failed: FINDING: the phone has 18 of 21 points"
            ], "\(alone.output)\(alone.errors)")
        // A kill by the seed is added to those of the scenario, and its steps wait for the device.
        let killed = try explore(
            "--phone", Self.program, "--watch", "/bin/sleep 9000", "--seeds", "1...6", "--kills", "2", "--script",
            try bench.write(
                "k.json5",
                """
                { name: "kills", steps: [
                    { at: "20min", on: "phone", do: "device", action: "background" },
                    { at: "20min", on: "phone", do: "device", action: "foreground" },
                    { at: "50min", on: "phone", do: "await", log: "control listening" } ],
                  expect: { reachable: { phone: false } } }
                """), "--traces", bench.path + "/traces")
        #expect(killed.code == 0, "\(killed.output)\(killed.errors)")
        let traces = try (1...6).map {
            try String(contentsOfFile: bench.path + "/traces/seed-\($0).txt", encoding: .utf8)
        }
        let lives = traces.map { $0.components(separatedBy: "== phone, ").count - 1 }
        #expect(lives.contains { $0 > 1 }, "\(lives)")
        let file = bench.path + "/findings/seed-1.json"
        try FileManager.default.removeItem(atPath: bench.path + "/s.json5")
        let (first, second) = (try explore("replay", file), try explore("replay", file))
        #expect(first.code == 3, "\(first.output.suffix(2_000))\(first.errors)")
        #expect(first.output == second.output, "\(first.output.suffix(2_000))\(first.errors)")
    }

    @Test(
        "The services run a scenario in many orders, and its expectations hold",
        .enabled(if: World.isAvailable, "Worlds do not exist under the thread sanitizer."))
    func services() throws {
        let folder = ProjectFiles.root.appending(path: "Config/scenarios")
        let file = folder.appending(path: "two-watches.json5").path(percentEncoded: false)
        let result = try TestBench.run("watchlink", ["explore", "services", "--script", file, "--seeds", "1...3"])
        #expect(result.code == 0, "\(result.output)\(result.errors)")
        #expect(result.output.hasPrefix("3 seeds in "), "\(result.output)\(result.errors)")
        for (words, message) in [
            (["services", "--script", file, "--hours", "2"], "--hours: not allowed with --script"),
            (["services", "--script", file, "--quizzes", "2"], "--quizzes: not allowed with --script"),
            (["services", "--script", "/nowhere.json5"], "/nowhere.json5: cannot be read"),
            (["--script", file], "--phone PROGRAM and --watch PROGRAM are required"),
            (Self.pair + ["--script", file], "“submit” works only with services"),
        ] {
            let wrong = try TestBench.run("watchlink", ["explore"] + words)
            #expect(wrong.code != 0, "\(words): \(wrong.errors)")
            #expect(wrong.errors.contains(message), "\(words): \(wrong.errors)")
        }
    }
}
