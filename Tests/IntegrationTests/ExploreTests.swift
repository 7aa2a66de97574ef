import Foundation
import Testing
import VirtualTime
import Words

@testable import watchlink_explore

/// Tests with a phone and a watch program, unmodified, in virtual time.
@Suite("Exploring two programs", .enabled(if: World.isAvailable, "Worlds do not exist under the thread sanitizer."))
struct ExploreTests {
    private static let pair = TestBench.program("QuizPair").path(percentEncoded: false)

    private func explore(_ arguments: String...) throws -> CommandResult { try explore(arguments) }

    private func explore(_ arguments: [String]) throws -> CommandResult {
        try TestBench.run("watchlink", ["explore"] + arguments)
    }

    @Test("A correct pair has no findings in an hour of each seed")
    func correct() throws {
        let result = try explore("--phone", Self.pair, "--watch", Self.pair, "--seeds", "1...4", "--kills", "0")
        #expect(result.code == 0, "\(result.output)\(result.errors)")
        #expect(result.output.hasSuffix(", 0 of them with a finding\n"))
        #expect(result.output.hasPrefix("4 seeds in "))
    }

    @Test("Points lost by a phone are found, and the finding reproduces the loss byte for byte")
    func careless() throws {
        let bench = try TestBench()
        let result = try explore(
            "--phone", "'\(Self.pair)' \"careless\"", "--watch", Self.pair, "--seeds", "1...2", "--kills", "0",
            "--hazards", "none", "--findings", bench.path + "/findings", "--tries", "10")
        #expect(result.code == 3, "\(result.output)\(result.errors)")
        #expect(result.output.hasPrefix("seeds 1, 2: the watch failed: FINDING: the phone has "), "\(result.output)")
        let file = bench.path + "/findings/seed-1.json"
        #expect(result.output.contains("watchlink explore replay \(file)    # "))
        let (first, second) = (try explore("replay", file), try explore("replay", file))
        #expect(first.code == 3)
        #expect(first.errors.isEmpty, "\(first.errors)")
        #expect(first.output.contains("\nthe watch failed: FINDING: the phone has "), "\(first.output)")
        #expect(first.output == second.output)
    }

    @Test("A seed kills and restarts devices, and its trace is byte-identical each time")
    func kills() throws {
        let bench = try TestBench()
        func traces(_ name: String) throws -> [Data] {
            let directory = bench.path + "/" + name
            _ = try explore(
                "--phone", Self.pair, "--watch", Self.pair, "--seeds", "1...6", "--kills", "2", "--traces", directory,
                "--jobs", name == "one" ? "1" : "3")
            return try (1...6).map { try Data(contentsOf: URL(filePath: "\(directory)/seed-\($0).txt")) }
        }
        let first = try traces("one")
        let again = try traces("three")
        #expect(first == again)
        #expect(Set(first).count == 6)
        let text = first.map { String(decoding: $0, as: UTF8.self) }.joined()
        for device in ["phone", "watch"] {
            let kills = text.matches(of: try Regex("== \(device), from .* seconds: killed"))
            #expect(kills.count > 0, "\(text)")
            let restarts = text.matches(of: try Regex("== \(device), from [^0].* seconds: ran until the end"))
            #expect(restarts.count > 0, "\(text)")
        }
    }

    @Test("Full disks, clock changes and watch switches happen only when enabled")
    func rareHazards() throws {
        let bench = try TestBench()
        let player = TestBench.program("PlayerProgram").path(percentEncoded: false)
        func traces(_ name: String, _ words: [String]) throws -> String {
            let directory = bench.path + "/" + name
            let result = try explore(words + ["--kills", "0", "--jobs", "2", "--traces", directory])
            #expect(result.code == 0, "\(result.output)\(result.errors)")
            return try FileManager.default.contentsOfDirectory(atPath: directory).sorted().map {
                try String(contentsOfFile: "\(directory)/\($0)", encoding: .utf8)
            }.joined()
        }
        let players = [
            "--phone", "\(player) keep", "--watch", "\(player) await 300", "--seeds", "1...16", "--hours", "0.1",
        ]
        let (without, with) = (
            try traces("without", players), try traces("with", players + ["--hazards", "disk,clock"])
        )
        #expect(!without.contains("No space left"))
        #expect(with.contains("No space left on device"))
        // Seconds since 1970: the world's hour, or the same hour of the previous or next day.
        func days(_ text: String) -> Set<Int> {
            Set(
                text.split(separator: "\n").compactMap { Double($0.prefix { $0 != " " }) }.filter { $0 > 1e9 }.map {
                    Int($0 / 86_400)
                })
        }
        #expect(days(without).count == 1, "\(days(with))")
        #expect(days(with).count > 1, "\(days(with))")
        // In six seeds there was none once.
        let pair = ["--phone", Self.pair, "--watch", Self.pair, "--seeds", "1...24"]
        let worn = try traces("worn", pair)
        #expect(!worn.contains("session deactivated"))
        let switched = try traces("switched", pair + ["--hazards", "switches"])
        #expect(switched.contains("fault injected fault=switch device=0D000000-0000-4000-8000-000000000002"))
        #expect(switched.contains("session deactivated"))
    }

    @Test("Strategy, interruptions and late threads follow the options, and are stored in the finding")
    func rules() throws {
        let bench = try TestBench()
        let result = try explore(
            "--phone", "\(Self.pair) careless", "--watch", Self.pair, "--seeds", "1...1", "--kills", "0", "--hazards",
            "none", "--strategy", "pct:2", "--preemption", "9", "--stall", "50:2s", "--findings", bench.path, "--tries",
            "3")
        #expect(result.code == 3, "\(result.output)\(result.errors)")
        let settings = try Finding(path: bench.path + "/seed-1.json").settings
        #expect(settings.preemption == 9)
        #expect(settings.stall == 50)
        #expect(settings.stallMilliseconds == 2_000)
        let trace = { (words: [String]) in
            _ = try self.explore(
                [
                    "--phone", Self.pair, "--watch", Self.pair, "--seeds", "3...3", "--hours", "0.1", "--traces",
                    bench.path,
                ]
                    + words)
            return try Data(contentsOf: URL(filePath: bench.path + "/seed-3.txt"))
        }
        let (drawn, first, second) = (
            try trace([]), try trace(["--strategy", "pct:2"]), try trace(["--strategy", "pct:2"])
        )
        #expect(first == second)
        #expect(first != drawn)
    }

    @Test("All orders of delivery are run, each once, and those that an app does not survive are findings")
    func orders() throws {
        let bench = try TestBench()
        let pair = TestBench.program("ClientPairs").path(percentEncoded: false) + " order-across-kinds"
        let words = [
            "--phone", pair, "--watch", pair, "--strategy", "orders", "--hours", "0.05", "--traces", bench.path,
        ]
        let result = try explore(words)
        #expect(result.code == 3, "\(result.output)\(result.errors)")
        #expect(result.output.contains("; packages that arrive within 5 s have no other orders"), "\(result.output)")
        #expect(result.output.contains("orders of delivery in "), "\(result.output)")
        let traces = try FileManager.default.contentsOfDirectory(atPath: bench.path).filter { $0.hasPrefix("seed-") }
        let contents = try Set(traces.map { try String(contentsOfFile: "\(bench.path)/\($0)", encoding: .utf8) })
        #expect(traces.count > 1 && contents.count == traces.count, "\(traces.count) orders, \(contents.count) differ")
    }

    @Test("A program that ends abnormally is a finding")
    func ending() throws {
        let result = try explore("--phone", Self.pair, "--watch", "/bin/false", "--seeds", "7...7", "--json")
        #expect(result.code == 3)
        #expect(result.output.contains("\"the watch exited with code 1\""), "\(result.output)")
    }

    @Test("Invalid arguments are answered with the allowed values")
    func wrongWords() throws {
        let devices = ["--phone", Self.pair, "--watch", Self.pair]
        for (words, message) in [
            ([], "--phone PROGRAM is missing"),
            (["--phone", "/nowhere/app", "--watch", Self.pair], "/nowhere/app is not an executable file"),
            (["--phone", "'\(Self.pair)", "--watch", Self.pair], "the closing quotation mark ' is missing at the end"),
            (["--phone", "''", "--watch", Self.pair], "the program is missing"),
            (["replay"], "replay needs exactly one finding"), (["replay", "a", "b"], "needs exactly one finding"),
            (["replay", "a", "--seeds", "1...2"], "“explore replay FINDING” has no option --seeds"),
            (devices + ["again"], "unexpected “again”; it must be one of services, replay, merge, or left out"),
            (
                devices + ["--strategy", "pct:17"],
                "--strategy pct:17: it must be random, pct:N with N from 1 to 16, or orders"
            ),
            (devices + ["--strategy", "orders", "--kills", "1"], "--kills: not allowed with --strategy orders"),
            (devices + ["--stall", "5:2h"], "--stall 5:2h: it must be 0, or N or N:SPAN with N up to 1000000000"),
            (devices + ["--stall", ":"], "--stall :: it must be 0"),
            (devices + ["--preemption", "-1"], "--preemption"),
            (devices + ["--for", "8"], "--for 8: it must be a span such as 60s"),
            (devices + ["--for", "0s"], "--for 0s: it must be a span such as 60s"),
            (devices + ["--shard", "3/2"], "--shard 3/2: it must be one of 1/N to N/N"),
            (["merge"], "merge needs directories"),
            (devices + ["--hours", "0"], "--hours 0: it must be a number from 0.001 to 8760"),
            (devices + ["--hours", "nan"], "--hours nan"), (devices + ["--kills", "-1"], "0 to 1000"),
            (devices + ["--hazards", "loss,fire"], "“fire” must be one of loss, slowness"),
            (devices + ["--hazards", "none,loss"], "“none” must be one of loss, "),
            (
                devices + ["--hints", "file-not-move"],
                "--hints: hint: “file-not-move” must be one of all, delegate-set"
            ),
            (["services", "--hints", "all"], "“explore services” has no option --hints"),
            (devices + ["--jobs", "0"], "1 to 256"),
            (devices + ["--begin", "24:00"], "--begin 24:00: it must be a time"),
            (devices + ["--time-zone", "Europe/Berln"], "did you mean “Europe/Berlin”?"),
            (devices + ["--begin", "9"], "from 00:00 to 23:59, such as 23:50"),
            (devices + ["--begin", "1:60"], "--begin"),
            (devices + ["--seeds", "3...1"], "it must be a range such as 1...100"),
        ] {
            let result = try TestBench.run("watchlink", ["explore"] + words)
            #expect(result.code == 2, "\(words)")
            #expect(result.errors.contains(message), "\(words): \(result.errors)")
        }
        let missing = try explore("replay", "/nowhere/finding.json")
        #expect(missing.code == 1)
        #expect(missing.errors.contains("cannot read /nowhere/finding.json"))
        // Errors of Foundation, which describe themselves with their whole dictionary.
        let nowhere = try explore("merge", "/nowhere")
        #expect(nowhere.code == 1)
        #expect(nowhere.errors == "watchlink explore: /nowhere: No such file or directory\n")
    }

    @Test("A “sometimes” condition that no seed reached is a finding, unless another shard may have reached it")
    func sometimes() throws {
        let phone =
            "/bin/sh -c 'echo SOMETIMES it rains >&2; echo SOMETIMES it is dry >&2; echo REACHED it is dry >&2; sleep 9'"
        let words = [
            "--phone", phone, "--watch", "/bin/sleep 9", "--kills", "0", "--hours", "0.01", "--seeds", "1...4",
        ]
        let result = try TestBench.run("watchlink", ["explore"] + words)
        #expect(result.code == 3)
        #expect(
            result.output.hasPrefix("never, although it should sometimes: it rains\n4 seeds in "), "\(result.output)")
        let shard = try TestBench.run("watchlink", ["explore"] + words + ["--shard", "1/2"])
        #expect(shard.code == 0)
        #expect(shard.output.hasPrefix("2 seeds in "), "\(shard.output)")
    }

    @Test(
        "Shards that share a directory are merged into one outcome: each cause once, as text, JSON and JUnit"
    )
    func merge() throws {
        let bench = try TestBench()
        let findings = bench.path + "/findings"
        // It dies in one of two ways, depending on the seed.
        let phone = "\(TestBench.program("PlayerProgram").path(percentEncoded: false)) toss"
        let words = [
            "explore", "--phone", phone, "--watch", "/bin/sleep 9", "--kills", "0", "--hours", "0.01", "--seeds",
            "1...12",
        ]
        for shard in ["1/3", "3/3"] {
            let result = try TestBench.run(
                "watchlink", words + ["--shard", shard, "--findings", findings, "--tries", "3"])
            #expect(result.code == 3, "\(result.output)\(result.errors)")
        }
        let partly = try TestBench.run("watchlink", ["explore", "merge", findings])
        #expect(partly.code == 3)
        _ = try TestBench.run("watchlink", words + ["--shard", "2/3", "--findings", findings, "--tries", "3"])
        let junit = bench.path + "/explore.xml"
        let merged = try TestBench.run("watchlink", ["explore", "merge", findings, "--junit", junit])
        #expect(merged.code == 3)
        #expect(merged.output.contains(": the phone exited with code 9\n"), "\(merged.output)")
        #expect(merged.output.contains(": the phone failed: FINDING: heads "), "\(merged.output)")
        #expect(merged.output.contains("\n12 seeds in "), "\(merged.output)")
        #expect(merged.output.contains(", 12 of them with a finding\n"), "\(merged.output)")
        let whole = try TestBench.run("watchlink", words)
        #expect(
            Self.causes(whole.output) == Self.causes(merged.output), "\(whole.output)\n\(merged.output)")
        let xml = try String(contentsOfFile: junit, encoding: .utf8)
        #expect(xml.contains("tests=\"2\" failures=\"2\" errors=\"0\""), "\(xml)")
        #expect(xml.contains("name=\"the phone exited with code 9\"><failure message=\"seed"), "\(xml)")
        // The output is a valid command line.
        let line = try #require(
            merged.output.split(separator: "\n").first { $0.hasPrefix("    watchlink explore replay ") })
        let file = try #require(try ShellText.words(String(line.prefix { $0 != "#" })).last)
        let replayed = try explore("replay", file)
        #expect(replayed.code == 3, "\(replayed)")
    }

    /// Returns the lines that name seeds and their failures, without the number of the example seed.
    private static func causes(_ output: String) -> [String] {
        output.split(separator: "\n").filter { $0.hasPrefix("seed") }
            .map { String($0.replacing(/heads \d+/, with: "heads")) }
    }

    @Test("Coverage of shards is merged: the figures equal those of one machine, and show if more seeds would pay")
    func coverage() throws {
        let bench = try TestBench()
        let words = ["--phone", Self.pair, "--watch", Self.pair, "--seeds", "1...12", "--hours", "0.3"]
        func figures(_ output: String) -> [String] {
            output.split(separator: "\n").filter { $0.contains("another hundred") || $0.hasPrefix("more seeds") }
                .map { String($0) }
        }
        let whole = figures(try explore(words).output)
        #expect(whole.count == 4, "\(whole)")
        #expect(whole.last == "more seeds would pay", "\(whole)")
        for (figure, what) in zip(
            whole,
            ["orders of two events", "calls of a delegate in a state", "hand-overs of threads from call to call"])
        {
            #expect(figure.contains(" \(what)"))
            #expect((figure.split(separator: " ").first.flatMap { Int($0) } ?? 0) > 5, "\(figure)")
        }
        for shard in ["1/2", "2/2"] {
            _ = try explore(words + ["--shard", shard, "--findings", bench.path])
        }
        let merged = figures(try explore("merge", bench.path).output)
        #expect(merged == whole)
        // Without the coverage of one shard, only the largest of the numbers is certain.
        let file = bench.path + "/coverage-1-shard-2-of-2.json"
        try FileManager.default.removeItem(atPath: file)
        let certain = figures(try explore("merge", bench.path).output)
        #expect(certain.count == 4)
        try Data("{}".utf8).write(to: URL(filePath: file))
        let damaged = try explore("merge", bench.path)
        #expect(damaged.code == 1)
        #expect(damaged.errors.contains("is not the coverage of an exploration"))
    }

    @Test("A fleet with a missing shard does not report success")
    func missingShard() throws {
        let bench = try TestBench()
        let words = [
            "explore", "--phone", "/bin/sleep 9", "--watch", "/bin/sleep 9", "--hours", "0.01", "--kills", "0",
        ]
        let shard = try TestBench.run(
            "watchlink", words + ["--shard", "2/2", "--findings", bench.path, "--seeds", "1...4"])
        #expect(shard.code == 0, "\(shard.errors)")
        let merged = try TestBench.run("watchlink", ["explore", "merge", bench.path])
        #expect(merged.code == 1)
        #expect(
            merged.errors.contains("shards are missing or incomplete: shard 1/2 of seeds from 1"),
            "\(merged.errors)")
        let other = try TestBench()
        let empty = other.path
        let none = try TestBench.run("watchlink", ["explore", "merge", empty])
        #expect(none.code == 1, "\(none)")
        #expect(none.errors.contains("\(empty) contains no summary of an exploration"))
        try Data("{}".utf8).write(to: URL(filePath: empty + "/summary-1.json"))
        let damaged = try TestBench.run("watchlink", ["explore", "merge", empty])
        #expect(damaged.code == 1)
        #expect(damaged.errors.contains("summary-1.json is not the summary of an exploration"))
    }

    @Test(
        "A program linked with the virtual-time library runs in the world like any other",
        arguments: ["sleep", "conditions"])
    func linked(_ construct: String) throws {
        let bench = try TestBench()
        let phone = TestBench.program("ProbeProgram").path(percentEncoded: false) + " " + construct
        let result = try TestBench.run(
            "watchlink",
            [
                "explore", "--phone", phone, "--watch", "/bin/true", "--kills", "0", "--hours", "10", "--seeds",
                "1...1", "--traces", bench.path,
            ])
        #expect(result.code == 0, "\(result.output)\(result.errors)")
        let trace = try String(contentsOfFile: bench.path + "/seed-1.txt", encoding: .utf8)
        let ends = trace.matches(
            of: try Regex("== phone, from 0.0 seconds to [1-9][0-9.]* seconds: exited with code 0\n"))
        #expect(ends.count > 0, "\(trace)")
    }

    @Test("A replay shows thread hand-overs on request, decides the same, and draws the logged events")
    func replay() throws {
        let bench = try TestBench()
        let found = try explore(
            "--phone", "\(Self.pair) careless", "--watch", Self.pair, "--seeds", "1...1", "--kills", "0", "--hazards",
            "none", "--findings",
            bench.path, "--tries", "1")
        #expect(found.code == 3, "\(found.errors)")
        let plain = try explore("replay", bench.path + "/seed-1.json")
        let quiet = try explore("replay", bench.path + "/seed-1.json", "--quiet")
        #expect(quiet.code == 3 && plain.output.hasSuffix(quiet.output), "\(quiet.output)\(quiet.errors)")
        let count = quiet.output.split(separator: "\n").count
        #expect((1...20).contains(count) && count < plain.output.split(separator: "\n").count, "\(quiet.output)")
        let page = bench.path + "/picture.html"
        let traced = try explore("replay", bench.path + "/seed-1.json", "--trace", "--timeline", page)
        #expect(traced.code == 3, "\(traced.errors)")
        let lines = Set(traced.output.split(separator: "\n"))
        #expect(lines.isSuperset(of: plain.output.split(separator: "\n")))
        #expect(lines.contains { $0.contains(" of ") && $0.hasPrefix("decision ") }, "\(traced.output.prefix(2_000))")
        #expect(lines.count > plain.output.split(separator: "\n").count + 100)
        let picture = try String(contentsOfFile: page, encoding: .utf8)
        #expect(picture.contains("<svg"), "\(picture.prefix(2_000))")
        #expect(picture.contains("kind: message"), "\(picture.prefix(2_000))")
    }

    @Test("The first seeds of each cause are kept, and all are counted")
    func kept() throws {
        let bench = try TestBench()
        let words = [
            "--phone", "/bin/false", "--watch", "/bin/sleep 9", "--kills", "0", "--hours", "0.01", "--seeds", "1...8",
        ]
        let result = try TestBench.run("watchlink", ["explore"] + words + ["--findings", bench.path, "--tries", "2"])
        #expect(result.code == 3)
        #expect(result.output.contains(", 8 of them with a finding"), "\(result.output)")
        let files = try FileManager.default.contentsOfDirectory(atPath: bench.path).filter { $0.hasPrefix("seed-") }
        #expect(files.count == 3, "\(files)")
    }

    @Test("An exploration stops at the first seed with a finding, and says that it did")
    func stopsAtFirst() throws {
        let words = [
            "--phone", "\(Self.pair) careless", "--watch", Self.pair, "--kills", "0", "--hazards", "none", "--jobs",
            "1",
            "--stop-at-first",
        ]
        let result = try explore(words)
        #expect(result.code == 3)
        #expect(result.output.contains("\n1 seed in "), "\(result.output)")
        #expect(result.output.contains(" s, 1 of them with a finding; stopped before the last\n"), "\(result.output)")
        let pair = TestBench.program("ClientPairs").path(percentEncoded: false) + " order-across-kinds"
        let orders = try explore(
            "--phone", pair, "--watch", pair, "--strategy", "orders", "--hours", "0.05", "--jobs", "1",
            "--stop-at-first")
        #expect(orders.code == 3)
        #expect(
            orders.output.contains(" s, 1 of them with a finding; stopped before the last; more are left"),
            "\(orders.output)")
    }

    @Test("Each device of a seed has a finding of its own, and the runtime's word about a leaked continuation is one")
    func findings() throws {
        let bench = try TestBench()
        let leak = "SWIFT TASK CONTINUATION MISUSE: ask() leaked its continuation without resuming it."
        let result = try explore(
            "--phone", "/bin/sh -c 'echo FINDING: one >&2; echo \"  of two\" >&2'", "--watch",
            "/bin/sh -c 'echo \"\(leak)\" >&2'", "--hours", "0.01", "--kills", "0", "--seeds", "1...2",
            "--findings",
            bench.path)
        #expect(result.code == 3, "\(result.errors)")
        #expect(
            result.output.contains("seeds 1, 2: the phone failed: FINDING: one\n      of two\n"), "\(result.output)")
        #expect(result.output.contains("seeds 1, 2: the watch failed: \(leak)\n"), "\(result.output)")
        #expect(result.output.contains("\n2 seeds in ") && result.output.contains(", 2 of them with a finding"))
        let replayed = try explore("replay", bench.path + "/seed-1-watch.json", "--quiet")
        #expect(replayed.code == 3 && replayed.output.contains("the watch failed: \(leak)\n"), "\(replayed.output)")
    }

    @Test("A seed begins at the time of day that is asked for")
    func begin() throws {
        let bench = try TestBench()
        let result = try explore(
            "--phone", Self.pair, "--watch", Self.pair, "--seeds", "1...1", "--kills", "0", "--begin", "23:50",
            "--traces", bench.path)
        #expect(result.code == 0, "\(result.output)\(result.errors)")
        let trace = try String(contentsOfFile: bench.path + "/seed-1.txt", encoding: .utf8)
        let times = trace.split(separator: "\n").compactMap { $0.wholeMatch(of: /(20\d\d-.{11}).*/)?.1 }
        #expect(times.first == "2030-01-01T23:50", "\(times.prefix(1))")
        #expect(times.contains { $0.hasPrefix("2030-01-02T00:") }, "\(times.suffix(1))")
    }

    @Test("A device has the time zone that is asked for, and begins at its own time of day")
    func timeZone() throws {
        let bench = try TestBench()
        let probe = "\(TestBench.program("ProbeProgram").path(percentEncoded: false)) time-zone"
        for (words, clock, time) in [
            (["--begin", "23:50"], "GMT, 23:50", "2030-01-01T23:50"),
            (["--begin", "23:50", "--time-zone", "Asia/Tokyo"], "Asia/Tokyo, 23:50", "2030-01-01T14:50"),
            (["--time-zone", "America/New_York"], "America/New_York, 0:0", "2030-01-01T05:00"),
        ] {
            let result = try explore(
                ["--phone", probe, "--watch", Self.pair, "--seeds", "1...1", "--kills", "0", "--hours", "0.01"]
                    + ["--traces", bench.path] + words)
            #expect(result.code == 0, "\(result.output)\(result.errors)")
            let trace = try String(contentsOfFile: bench.path + "/seed-1.txt", encoding: .utf8)
            #expect(trace.contains(clock), "\(trace.prefix(2_000))")
            // The watch starts a second later; logs are in UTC.
            #expect(trace.contains("\n\(time):01."), "\(trace.prefix(2_000))")
        }
    }

    @Test("A program that never activates a session is named, and an exploration of the services names none")
    func inactive() throws {
        func output(_ words: String...) throws -> String {
            let result = try explore(words + ["--seeds", "1...2", "--hours", "0.01"])
            #expect(result.code == 0, "\(result.output)\(result.errors)")
            return result.output
        }
        let mark = "never activated a session"
        #expect(
            try output("--phone", Self.pair, "--watch", "/bin/true").contains("\nthe watch \(mark), so that nothing"))
        let names = try [output("--phone", Self.pair, "--watch", Self.pair), output("services")]
        #expect(names.filter { $0.contains(mark) } == [])
    }

    @Test("Locks that are taken in opposite orders are told once, with lines of the source, and are no failure")
    func lockOrders() throws {
        let bench = try TestBench()
        let probe = TestBench.program("ProbeProgram").path(percentEncoded: false)
        let result = try explore(
            "--phone", "\(probe) 'locks in opposite orders'", "--watch", Self.pair, "--seeds", "1...3", "--kills", "0",
            "--hours", "0.01", "--findings", bench.path)
        #expect(result.code == 0, "\(result.output)\(result.errors)")
        let mark = "no failure: the phone takes locks in opposite orders: a deadlock, if its threads meet"
        #expect(result.output.components(separatedBy: mark).count == 3, "\(result.output)")
        #expect(result.output.contains(/ProbeProgram\+0x[0-9a-f]+ .*Locks\.swift:\d+\n/), "\(result.output)")
        let merged = try explore("merge", bench.path)
        #expect(merged.output.components(separatedBy: mark).count == 3, "\(merged.output)")
    }

    @Test("What a session hints at is told once for each device, with its seeds, and is no failure")
    func hints() throws {
        let bench = try TestBench()
        let app = "\(TestBench.program("ReplayPair").path(percentEncoded: false)) meter"
        for seeds in ["4...6", "1...2"] {
            let result = try explore(
                "--phone", app, "--watch", app, "--seeds", seeds, "--kills", "0", "--hazards", "none", "--hours",
                "0.05",
                "--findings", bench.path)
            #expect(result.code == 0, "\(result.output)\(result.errors)")
            #expect(result.output.contains("no failure: the watch: outcome unheard, in "), "\(result.output)")
        }
        let merged = try explore("merge", bench.path)
        let mark = "no failure: the watch: outcome unheard, "
        let lines = merged.output.split(separator: "\n").filter { $0.hasPrefix(mark) }
        #expect(lines.count == 1, "\(merged.output)")
        let text = mark + "in 5 seeds, first in 1: implement session(_:didFinish:error:)"
        #expect(lines.first?.hasPrefix(text) == true, "\(merged.output)")
        // Programs without hints.
        let silent = try explore(
            "--phone", Self.pair, "--watch", Self.pair, "--seeds", "1...2", "--kills", "0", "--hazards", "none")
        #expect(!silent.output.contains("no failure"), "\(silent.output)")
    }

    @Test("Hints that are named are failures, with findings that replay; other hints are none")
    func failingHints() throws {
        let bench = try TestBench()
        let app = "\(TestBench.program("ReplayPair").path(percentEncoded: false)) meter"
        let words = [
            "--phone", app, "--watch", app, "--seeds", "1...2", "--kills", "0", "--hazards", "none", "--hours", "0.05",
        ]
        let failure = "the watch failed: FINDING: outcome unheard: implement session(_:didFinish:error:)"
        for hints in ["outcome-unheard", "all"] {
            let result = try explore(words + ["--findings", bench.path, "--hints", hints])
            #expect(result.code == 3, "\(result.output)\(result.errors)")
            #expect(result.output.contains(failure), "\(result.output)")
            #expect(!result.output.contains("no failure"), "\(result.output)")
        }
        let replayed = try explore("replay", bench.path + "/seed-1.json", "--quiet")
        #expect(replayed.output.contains(failure), "\(replayed.output)\(replayed.errors)")
        let others = try explore(words + ["--hints", "file-not-moved,reply-handler-called-again"])
        #expect(others.code == 0, "\(others.output)\(others.errors)")
        #expect(others.output.contains("no failure: the watch: outcome unheard, in "), "\(others.output)")
        // A scenario's devices.
        let file = bench.path + "/rest.json5"
        try Data("{ name: 'rest', steps: [{ at: 60, on: 'watch', do: 'condition', to: 'wifi' }] }".utf8).write(
            to: URL(filePath: file))
        let script = [
            "--phone", app, "--watch", app, "--seeds", "1...2", "--script", file, "--hints", "outcome-unheard",
        ]
        let scenario = try explore(script)
        #expect(scenario.output.contains(failure), "\(scenario.output)\(scenario.errors)")
    }

    @Test("An exploration with a time limit starts no seed after it, and as many as possible before")
    func span() throws {
        let words = [
            "explore", "--phone", "/bin/sleep 9", "--watch", "/bin/sleep 9", "--hours", "0.01", "--for", "1s", "--json",
        ]
        let result = try TestBench.run("watchlink", words)
        #expect(result.code == 0, "\(result.errors)")
        let summary = try JSONDecoder().decode(ExplorationSummary.self, from: Data(result.output.utf8))
        #expect(summary.runs >= 1)
        #expect(summary.seconds >= 1)
        #expect(summary.parts.map(\.isComplete) == [true])
    }
}
