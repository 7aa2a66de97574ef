import Cassettes
import Foundation
import Processes
import TestSupport
import Testing
import VirtualTime

@testable import watchlink_explore

/// Cassettes of three pairs of apps, replayed with builds that differ from the recorded ones.
@Suite("Replays of cassettes", .enabled(if: World.isAvailable, "Worlds do not exist under the thread sanitizer."))
struct ReplayTests {
    private static let pair = TestBench.program("ReplayPair").path(percentEncoded: false)
    private static let services = TestBench.program("Workouts").path(percentEncoded: false)

    /// The cassettes, made once for all tests.
    static let cassettes = Result { try Cassettes() }

    /// The cassettes of all pairs, with the accepted courses of the recorded builds.
    struct Cassettes {
        let bench: TestBench

        init() throws {
            bench = try TestBench()
            for pair in ["library", "runner", "post", "meter", "gym"] {
                let app = "\(ReplayTests.pair) \(pair)"
                try run([
                    "explore", "--phone", app, "--watch", app, "--seeds", "1...1", "--kills", "0", "--hazards", "none",
                    "--record", "\(bench.path)/\(pair)",
                ])
                for side in ["phone", "watch"] {
                    let check = try run(["record", "check", path(pair, side)])
                    #expect(check.output.contains(": complete; "), "\(check.output)")
                    // The recording itself has no values: what it shows of the structure must be found again.
                    let plain = try run(["replay", path(pair, side), "--\(side)", app])
                    #expect(plain.output.contains(": same\n"), "\(plain.output)")
                    try run(["replay", path(pair, side), "--\(side)", app, "--accept"])
                }
            }
        }

        func path(_ pair: String, _ side: String) -> String { "\(bench.path)/\(pair)/seed-1/\(side)-1" }

        @discardableResult
        private func run(_ words: [String]) throws -> CommandResult {
            let result = try TestBench.run("watchlink", words)
            #expect(result.code == 0, "\(words): \(result.output)\(result.errors)")
            return result
        }
    }

    static func replay(
        _ pair: String, _ side: String, _ change: String, _ words: String...
    ) throws
        -> CommandResult
    {
        let path = try cassettes.get().path(pair, side)
        let build = "\(Self.pair) \(pair)" + (change.isEmpty ? "" : " --change '\(change)'")
        return try TestBench.run("watchlink", ["replay", path, "--\(side)", build] + words)
    }

    /// The meter also goes on after the end of its recording, and the gym's tasks race.
    @Test(
        "The same build is the same, and both are compared value by value",
        arguments: ["library", "runner", "post", "meter", "gym"])
    func same(_ pair: String) throws {
        for side in ["phone", "watch"] {
            for _ in 0..<3 {
                let result = try Self.replay(pair, side, "")
                #expect(result.code == 0 && result.output.contains(": same\n"), "\(result.output)\(result.errors)")
            }
            // Other seeds than those by which the accepted course was learned.
            for seed in 11...13 {
                let result = try Self.replay(pair, side, "", "--seed", "\(seed)")
                #expect(result.code == 0 && result.output.contains(": same\n"), "\(result.output)\(result.errors)")
            }
        }
    }

    @Test("The accepted course is checked with its cassette")
    func acceptedIsChecked() throws {
        let path = try Self.cassettes.get().path("library", "phone")
        let check = try TestBench.run("watchlink", ["record", "check", path])
        #expect(check.output.contains("\(path): complete; "), "\(check.output)")
        #expect(check.output.contains("\(path)/accepted-phone: complete; "), "\(check.output)")
    }

    @Test("A change that a counterpart or a user notices is named", arguments: ReplayedChanges.incompatible)
    func incompatible(_ change: ReplayedChange) throws {
        let result = try Self.replay(change.pair, change.side, change.words)
        #expect(result.code == 3, "\(result.output)\(result.errors)")
        #expect(result.output.contains("[\(change.name)]"), "\(result.output)")
    }

    @Test("A change that a counterpart gets on with raises no alarm", arguments: ReplayedChanges.compatible)
    func compatible(_ change: ReplayedChange) throws {
        let result = try Self.replay(change.pair, change.side, change.words)
        #expect(result.code == 0, "\(result.output)\(result.errors)")
        let isChanged = result.output.contains(": equivalent\n")
        #expect(isChanged == !change.name.isEmpty, "\(result.output)")
        #expect(change.name.isEmpty || result.output.contains("[\(change.name)]"), "\(result.output)")
    }

    @Test("The last words of a build that traps are Swift's reason, not the stack trace that follows it")
    func trapped() throws {
        let result = try Self.replay("library", "phone", "trap")
        #expect(result.code == 3, "\(result.output)\(result.errors)")
        let reason =
            /broken: event \d+: the program ended by signal \d+, SIG[A-Z]+; the last that it was given was event \d+, didReceiveMessageWithReply; \d+ recorded deeds are not in its course\n +[^\n]*Fatal error: Unexpectedly found nil[^\n]* \[program ending\]\n/
        #expect(result.output.contains(reason), "\(result.output)")
    }

    @Test(
        "A build that stops in a deadlock is broken, and who waits for whom is told with the lines of its source",
        arguments: [
            (
                "hang-alone",
                "stopped: dead-lock: the delegate's method session(_:didReceiveUserInfo:) has not returned for 60 s"
            ),
            ("hang-in-cycle", "deadlocked: threads wait for each other at "),
        ])
    func hangs(_ change: String, _ words: String) throws {
        let result = try Self.replay("library", "phone", change)
        #expect(result.code == 3, "\(result.output)\(result.errors)")
        #expect(result.output.contains(": the program \(words)"), "\(result.output)")
        #expect(result.output.contains(" recorded deeds are not in its course\n"), "\(result.output)")
        #expect(result.output.contains(/\ waits in sem_wait| for a lock that thread \d+ holds/), "\(result.output)")
        #expect(result.output.contains("/ReplayPair/App.swift:"), "\(result.output)")
        #expect(!result.output.contains(": not done"), "what follows is no cause: \(result.output)")
    }

    @Test(
        "What a build itself says is wrong is broken, at the event that it was given, unless it is expected or accepted"
    )
    func findings() throws {
        let bench = try TestBench()
        let path = "\(bench.path)/phone"
        try FileManager.default.copyItem(atPath: try Self.cassettes.get().path("library", "phone"), toPath: path)
        func replay(_ change: String, _ words: String...) throws -> CommandResult {
            let build = "\(Self.pair) library --change '\(change)'"
            return try TestBench.run("watchlink", ["replay", path, "--phone", build] + words)
        }
        func events(_ folder: String) throws -> [Substring] {
            try String(contentsOfFile: "\(folder)/events.jsonl", encoding: .utf8).split(separator: "\n")
        }
        let questions = try events("\(path)/accepted-phone").enumerated().filter {
            $0.element.contains(#""k":"didReceiveMessageWithReply""#)
        }
        let event = try #require(questions.dropFirst().first).offset + 1
        let found = try replay("finding empty")
        #expect(found.code == 3, "\(found)")
        let line =
            "\n  broken: event \(event): the program wrote “FINDING: shelf 7 empty” [program finding shelf # empty]\n"
        #expect(found.output.contains(line), "\(found.output)")
        #expect(found.output.contains("29 of 29 deeds found again"), "\(found.output)")
        let file = "\(bench.path)/expected.json5"
        let reason =
            #"{ changes: [{ change: "program finding shelf # empty", reason: "known", until: "2999-01-01" }] }"#
        try Data(reason.utf8).write(to: URL(filePath: file))
        let expected = try replay("finding empty", "--expect", file)
        #expect(expected.code == 0 && expected.output.contains("; expected: known\n"), "\(expected)")
        let accepted = try replay("finding empty", "--accept")
        #expect(
            accepted.code == 0
                && accepted.output.contains("“FINDING: shelf 7 empty”, which is no difference from now on"),
            "\(accepted)")
        let same = try replay("finding empty")
        #expect(same.code == 0 && same.output.contains(": same\n"), "\(same)")
        let other = try replay("finding full")
        #expect(other.code == 3 && other.output.contains("[program finding shelf # full]"), "\(other)")
        // The line is a text of the program, which can have a secret.
        let secrets = "\(bench.path)/secrets"
        try Data("shelf 7 empty\n".utf8).write(to: URL(filePath: secrets))
        let check = try TestBench.run("watchlink", ["record", "check", path, "--secrets", secrets])
        #expect(check.code == 3 && check.output.contains("manifest.json"), "\(check)")
    }

    @Test("What a build itself says is wrong is broken in real time and in a live pair, too")
    func findingsOfPairs() throws {
        let old = "\(Self.pair) library"
        let live = try TestBench.run(
            "watchlink", ["skew", "--phones", "\(old),\(old) --change 'finding empty'", "--watches", old])
        let line =
            #/:\n  broken: phone, 120\.\d+ s: the program wrote “FINDING: shelf 7 empty” \[phone finding shelf # empty\]\n/#
        #expect(live.code == 3 && live.output.contains(line), "\(live)")
        let path = try #require(try Self.versions(with: "cassettes/services-phone").last) + "/cassettes/services-phone"
        let words = "FINDING: it has begun"
        let bench = try TestBench()
        let program = "\(bench.path)/host"
        try Data("#!/bin/sh\necho '\(words)' >&2\nexec \(Self.services) \"$@\"\n".utf8).write(
            to: URL(filePath: program))
        try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: program)
        let real = try TestBench.run(
            "watchlink", ["replay", path, "--phone", "\(program) host", "--service", "--real-time"])
        #expect(real.code == 3 && real.output.contains("broken: end: the program wrote “\(words)”"), "\(real)")
    }

    @Test("A file that is received has its size in the cassette, as one that is sent has")
    func sizeOfFiles() throws {
        for (side, kind) in [("watch", "transferFile"), ("phone", "didReceiveFile")] {
            let path = try Self.cassettes.get().path("runner", side)
            let events = try String(contentsOfFile: "\(path)/events.jsonl", encoding: .utf8).split(separator: "\n")
            let files = events.filter { $0.contains("\"k\":\"\(kind)\"") }
            #expect(!files.isEmpty && files.allSatisfy { $0.contains("\"b\":") }, "\(side): \(files)")
        }
    }

    @Test(
        "Each watch of a phone is played, its changes are repeated, and a change that shows with one of them names it")
    func severalWatches() throws {
        let bench = try TestBench()
        let app = "\(Self.pair) team"
        try bench.record(["--phone", "\(app) --switches", "--watch", app, "--watch", app])
        let path = "\(bench.path)/cassettes/seed-1/phone-1"
        let events = try String(contentsOfFile: "\(path)/events.jsonl", encoding: .utf8)
        #expect(events.components(separatedBy: #""k":"watches""#).count == 3, "\(events)")
        #expect(events.components(separatedBy: #""k":"didDeactivate""#).count == 3, "\(events)")
        // The build under test changes no watches: people do.
        for words in [[], ["--accept"], [], ["--seed", "7"]] {
            let same = try TestBench.run("watchlink", ["replay", path, "--phone", app, "--verbose"] + words)
            #expect(same.code == 0, "\(same.output)\(same.errors)")
            #expect(words == ["--accept"] || same.output.contains(": same\n"), "\(same.output)")
        }
        let changed = try TestBench.run(
            "watchlink", ["replay", path, "--phone", "\(app) --change second-only"])
        #expect(changed.code == 3, "\(changed.output)\(changed.errors)")
        #expect(
            changed.output.contains(", watch2: reply: rank is missing [reply rank key-missing]"), "\(changed.output)")
        let missing = try TestBench.run(
            "watchlink", ["replay", path, "--phone", "\(app) --change 'rename sendMessage pace tempo'"])
        for watch in ["watch", "watch2"] {
            #expect(missing.output.contains(", \(watch): sendMessage: pace is missing"), "\(missing.output)")
        }
    }

    @Test("What a hazard switches is recorded as what a person switches, and is repeated", arguments: [1, 2])
    func hazard(_ watches: Int) throws {
        let bench = try TestBench()
        let app = "\(Self.pair) team"
        // Half of all seeds switch; one that did not would show nothing here.
        let explored = try TestBench.run(
            "watchlink",
            ["explore", "--phone", app] + (0..<watches).flatMap { _ in ["--watch", app] } + [
                "--seeds", "1...6", "--kills", "0", "--hazards", "switches", "--record", "\(bench.path)/cassettes",
            ])
        try #require(explored.code == 0, "\(explored.output)\(explored.errors)")
        var switched = 0
        for seed in 1...6 {
            let path = "\(bench.path)/cassettes/seed-\(seed)/phone-1"
            let events = try String(contentsOfFile: "\(path)/events.jsonl", encoding: .utf8)
            guard events.contains(#""k":"didDeactivate""#) else { continue }
            switched += 1
            #expect(events.contains(##""w":"switch #"##), "\(events)")
            let same = try TestBench.run("watchlink", ["replay", path, "--phone", app, "--verbose"])
            #expect(same.code == 0 && same.output.contains(": same\n"), "\(same.output)\(same.errors)")
        }
        #expect(switched > 0, "no seed has switched")
    }

    @Test("The outcome is written for machines, with the line of each event")
    func machines() throws {
        let bench = try TestBench()
        let result = try Self.replay(
            "library", "phone", "rename reply title name", "--json", "--junit", "\(bench.path)/replay.xml", "--sarif",
            "\(bench.path)/replay.sarif")
        let json = try #require(
            JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [String: Any], "\(result.output)")
        #expect(json["verdict"] as? String == "changed")
        #expect(json["seed"] as? Int == 1 && json["tried"] as? Int == 5, "\(result.output)")
        let findings = try #require(json["findings"] as? [[String: Any]])
        let missing = try #require(findings.first { $0["change"] as? String == "reply title key-missing" })
        let line = try #require(missing["recorded"] as? Int)
        let sarif = try String(contentsOfFile: "\(bench.path)/replay.sarif", encoding: .utf8)
        #expect(sarif.contains(#"title is missing [reply title key-missing]""#), "\(sarif)")
        #expect(sarif.contains(#""name" : "reply title key-missing""#), "\(sarif)")
        #expect(sarif.contains(#""startLine" : \#(line)"#) && sarif.contains(#""version" : "2.1.0""#), "\(sarif)")
        #expect(sarif.contains(#"/accepted-phone/events.jsonl""#), "the lines are those of that file: \(sarif)")
        let junit = try String(contentsOfFile: "\(bench.path)/replay.xml", encoding: .utf8)
        #expect(junit.contains(#"name="reply title key-missing"><failure"#), "\(junit)")
        let again = findings.compactMap {
            $0["change"] as? String == "reply title key-missing" ? $0["recorded"] as? Int : nil
        }
        for event in again.dropFirst() {
            #expect(junit.contains(#"name="reply title key-missing, event \#(event)"><failure"#), "\(junit)")
        }
        #expect(again.count == 3, "\(result.output)")
        let events = try String(
            contentsOfFile: Self.cassettes.get().path("library", "phone") + "/accepted-phone/events.jsonl",
            encoding: .utf8
        ).split(separator: "\n")
        #expect(events[line - 1].contains(#""k":"reply""#), "\(events[line - 1])")
    }

    @Test("Both courses are drawn, with the first parting marked, and so is a cassette alone")
    func drawn() throws {
        let bench = try TestBench()
        let page = "\(bench.path)/replay.html"
        _ = try Self.replay("library", "phone", "rename reply title name", "--timeline", page)
        let drawn = try String(contentsOfFile: page, encoding: .utf8)
        #expect(drawn.contains("<h2>Accepted</h2>") && drawn.contains("<h2>Replayed</h2>"), "\(drawn.prefix(4_000))")
        #expect(drawn.components(separatedBy: ">reply: title is missing</text>").count == 3, "\(drawn)")
        let path = try Self.cassettes.get().path("library", "phone")
        let alone = try TestBench.run("watchlink", ["timeline", path])
        #expect(alone.code == 0 && alone.output.contains("data-kind=\"sendMessage\""), "\(alone.errors)")
        let more = try TestBench.run("watchlink", ["timeline", path, bench.path])
        #expect(more.code == 2 && more.errors.contains("it is drawn whole, and alone"), "\(more.errors)")
    }

    @Test("An expected change passes until its day, and an expectation that is not met is told")
    func expected() throws {
        let bench = try TestBench()
        let file = bench.path + "/expected.json5"
        func write(_ day: String) throws {
            let text = """
                { changes: [
                  { change: "reply title key-missing", reason: "named otherwise", until: "\(day)" },
                  { change: "reply pages type", reason: "not yet", until: "\(day)" },
                ] }
                """
            try Data(text.utf8).write(to: URL(filePath: file))
        }
        try write("2999-01-01")
        let now = try Self.replay("library", "phone", "rename reply title name", "--expect", file)
        #expect(now.code == 0, "\(now.output)\(now.errors)")
        #expect(now.output.contains("expected: named otherwise"), "\(now.output)")
        #expect(now.output.contains("expected, but not seen: reply pages type (not yet)"), "\(now.output)")
        try write("2020-01-01")
        let later = try Self.replay("library", "phone", "rename reply title name", "--expect", file)
        #expect(later.code == 3 && later.output.contains("expected until a day that has passed"), "\(later.output)")
    }

    @Test(
        "Cassettes of released versions are read, and today's builds get on with them",
        arguments: ["library", "runner"], ["phone", "watch"])
    func released(_ pair: String, _ side: String) throws {
        for version in try Self.versions(with: "cassettes/\(pair)-\(side)") {
            let result = try TestBench.run(
                "watchlink",
                ["replay", "\(version)/cassettes/\(pair)-\(side)", "--\(side)", "\(Self.pair) \(pair)"])
            #expect(result.code == 0 && result.output.contains("accepted course"), "\(result.output)\(result.errors)")
        }
    }

    @Test(
        "Today's services get on with the counterparts of released versions",
        arguments: [("phone", "host"), ("watch", "companion")])
    func releasedServices(_ side: String, _ role: String) throws {
        let bench = try TestBench()
        for (number, version) in try Self.versions(with: "cassettes/services-\(side)").enumerated() {
            let state = "\(bench.path)/state-\(number)"
            try FileManager.default.copyItem(atPath: "\(version)/services", toPath: state)
            try PrivateCopy.makePrivate(state)
            // As a killed service leaves it.
            let abandoned = try NotifySocket("\(state)/link.sock")
            defer { withExtendedLifetime(abandoned) {} }
            let result = try TestBench.run(
                "watchlink",
                [
                    "replay", "\(version)/cassettes/services-\(side)", "--\(side)", "\(Self.services) \(role)",
                    "--service",
                ] + (side == "watch" ? ["--state", state] : []))
            #expect(result.code == 0 && result.output.contains(": same\n"), "\(result.output)\(result.errors)")
            #expect(result.output.contains("7 of 7 deeds found again"), "\(result.output)")
        }
    }

    @Test("Today's host gets on with two watches of released versions at the same time")
    func releasedWatches() throws {
        for version in try Self.versions(with: "cassettes/watches-phone") {
            let result = try TestBench.run(
                "watchlink",
                ["replay", "\(version)/cassettes/watches-phone", "--phone", "\(Self.services) host", "--service"])
            #expect(result.code == 0 && result.output.contains(": same\n"), "\(result.output)\(result.errors)")
            #expect(result.output.contains("3 of 3 deeds found again"), "\(result.output)")
        }
    }

    @Test("Recordings of released versions that tell of faults are shown and replayed, and their faults not repeated")
    func releasedFaults() throws {
        for side in ["phone", "watch"] {
            for version in try Self.versions(with: "cassettes/faults-\(side)") {
                let path = "\(version)/cassettes/faults-\(side)"
                let shown = try TestBench.run("watchlink", ["inspect", path])
                let faults = shown.output.split(separator: "\n").filter { $0.contains(" fault ") }
                // With the message that it was done to, and of the link's condition, which has none.
                #expect(faults.contains { $0.contains("lose ") || $0.contains("duplicate ") }, "\(shown)")
                #expect(faults.contains { $0.contains("late ") }, "\(shown)")
                let check = try TestBench.run("watchlink", ["record", "check", path])
                #expect(check.code == 0, "\(check)")
                let result = try TestBench.run("watchlink", ["replay", path, "--\(side)", "\(Self.pair) library"])
                #expect(result.code == 0 && result.output.contains(": same\n"), "\(result.output)\(result.errors)")
            }
        }
    }

    @Test("What hazards do to link and deliveries is in the recordings, which are complete, and the same in a replay")
    func recordedHazards() throws {
        let bench = try TestBench()
        let app = "\(Self.pair) library"
        let explored = try TestBench.run(
            "watchlink",
            [
                "explore", "--phone", app, "--watch", app, "--seeds", "1...24", "--kills", "0", "--hazards",
                "loss,slowness,duplicates", "--record", "\(bench.path)/cassettes",
            ])
        try #require(explored.code == 0, "\(explored.output)\(explored.errors)")
        var found: Set<Substring> = []
        for seed in 1...24 {
            for side in ["phone", "watch"] {
                let path = "\(bench.path)/cassettes/seed-\(seed)/\(side)-1"
                let events = try String(contentsOfFile: "\(path)/events.jsonl", encoding: .utf8)
                for line in events.split(separator: "\n") where line.contains(#""k":"fault""#) {
                    found.insert(line.components(separatedBy: #""w":""#).last?.split(separator: " ").first ?? "")
                }
            }
        }
        #expect(found == ["lose", "late", "duplicate"], "\(found)")
        for seed in 1...24 {
            let check = try TestBench.run("watchlink", ["record", "check", "\(bench.path)/cassettes/seed-\(seed)"])
            #expect(check.code == 0, "\(check.output)\(check.errors)")
        }
        // More seeds, and other pairs, are for a command of their own.
        for seed in 1...6 {
            for side in ["phone", "watch"] {
                let path = "\(bench.path)/cassettes/seed-\(seed)/\(side)-1"
                let replayed = try TestBench.run("watchlink", ["replay", path, "--\(side)", app])
                #expect(replayed.output.contains(": same\n"), "\(replayed.output)\(replayed.errors)")
            }
        }
    }

    /// Returns the folders of released versions that contain a cassette.
    private static func versions(with cassette: String) throws -> [String] {
        let found = try FileManager.default.contentsOfDirectory(
            at: ProjectFiles.root.appending(path: "Tests/Formats"), includingPropertiesForKeys: nil
        ).map { $0.path(percentEncoded: false) }.filter {
            FileManager.default.fileExists(atPath: "\($0)/\(cassette)")
        }
        #expect(!found.isEmpty, "no version has \(cassette)")
        return found
    }

    @Test("In real time the counterpart waits for the link, and a finished play ends the replay")
    func realTime() throws {
        let path = try #require(try Self.versions(with: "cassettes/services-phone").last)
        let result = try TestBench.run(
            "watchlink",
            [
                "replay", "\(path)/cassettes/services-phone", "--phone", "\(Self.services) host", "--service",
                "--real-time",
            ])
        #expect(result.code == 0 && result.output.contains("7 of 7 deeds found again"), "\(result)")
    }

    @Test("In real time a program that fails ends the replay")
    func realFailure() throws {
        let path = try Self.cassettes.get().path("library", "phone")
        let result = try TestBench.run("watchlink", ["replay", path, "--phone", "/bin/false", "--real-time"])
        #expect(result.code == 3 && result.output.contains("it exited with code 1"), "\(result)")
    }

    @Test("A build is held to a contract that was written from a cassette")
    func contract() throws {
        let bench = try TestBench()
        let path = try Self.cassettes.get().path("library", "phone")
        let written = try TestBench.run("watchlink", ["contract", path])
        #expect(written.code == 0 && written.output.contains(#""answers" : ["#), "\(written.output)\(written.errors)")
        let file = bench.path + "/phone.contract.json"
        try Data(written.output.utf8).write(to: URL(filePath: file))
        let kept = try Self.replay("library", "phone", "add reply note x", "--contract", file)
        #expect(kept.code == 0 && kept.output.contains("the contract is kept"), "\(kept.output)\(kept.errors)")
        let broken = try Self.replay("library", "phone", "to-text reply pages", "--contract", file)
        let breach = "reply: pages is string, where integer is promised [reply pages contract]"
        #expect(broken.code == 3 && broken.output.contains(breach), "\(broken.output)\(broken.errors)")
        let twice = try TestBench.run("watchlink", ["contract", path, path])
        #expect(twice.output == written.output, "\(twice.output)\(twice.errors)")
        let both = try TestBench.run(
            "watchlink", ["contract", path, try Self.cassettes.get().path("library", "watch")])
        #expect(both.code == 2 && both.errors.contains("of the phone and the watch"), "\(both.errors)")
        let foreign = try Self.replay("library", "watch", "", "--contract", file)
        #expect(foreign.code == 2 && foreign.errors.contains("it is the phone's, not the watch's"), "\(foreign.errors)")
    }

    @Test("Every pair of builds is run, and what breaks is told with the first build that breaks it")
    func skew() throws {
        let (old, new) = ("\(Self.pair) library", "\(Self.pair) library --change 'rename sendMessage id key'")
        let more = "\(Self.pair) library --change 'add reply x y'"
        let bench = try TestBench()
        try FileManager.default.createDirectory(atPath: "\(bench.path)/seed-1", withIntermediateDirectories: true)
        try FileManager.default.copyItem(
            atPath: try Self.cassettes.get().path("library", "watch"), toPath: "\(bench.path)/seed-1/watch-1")
        let result = try TestBench.run(
            "watchlink",
            ["skew", "--phones", "\(old),\(more)", "--watches", "\(old),\(new)", "--cassettes", bench.path, "--json"])
        #expect(result.code == 3, "\(result.output)\(result.errors)")
        let cells = try #require(
            JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [[String: Any]], "\(result.output)")
        #expect(cells.last?["other"] as? String == "seed-1/watch-1", "each seed has a watch-1: \(result.output)")
        let verdicts = cells.map { "\($0["verdict"] ?? "")" }
        // Four pairs, and both builds of the watch against the cassette. More keys trouble no watch.
        #expect(verdicts == ["same", "changed", "same", "changed", "same", "changed"], "\(result.output)")
        let text = try TestBench.run(
            "watchlink", ["skew", "--phones", old, "--watches", "\(old),\(new)", "--cassettes", bench.path])
        let folder = "\(URL(filePath: Self.pair).deletingLastPathComponent().path(percentEncoded: false))"
        let (shortNew, shortOld) = (new.dropFirst(folder.count), old.dropFirst(folder.count))
        #expect(text.output.contains("\(shortNew): changed since \(shortOld)"), "\(text.output)")
        #expect(!text.output.contains(folder), "the folder of all is in no name: \(text.output)")
        // The phone's answers differ, as the watch's question does.
        let cause =
            #/\n  first: watch, 60\.\d+ s: sendMessage: id is missing \[sendMessage id key-missing\]\n  changed: phone, 60\.\d+ s: reply: id /#
        #expect(text.output.contains(cause), "\(text.output)")
    }

    @Test("A value that the recording hides may be why a build differs: the advice is to accept its course")
    func hiddenValues() throws {
        let bench = try TestBench()
        let app = "\(Self.pair) library"
        try bench.record(["--phone", app, "--watch", app])
        for (change, isAdvised) in [("fresh reply id", true), ("rename reply id key", false)] {
            let changed = try TestBench.run(
                "watchlink",
                ["replay", "\(bench.path)/cassettes/seed-1/phone-1", "--phone", "\(app) --change '\(change)'"])
            #expect(changed.code == 3, "\(changed.output)\(changed.errors)")
            #expect(changed.output.contains("hint: the recording hides values") == isAdvised, "\(changed.output)")
        }
    }

    @Test("A course with less than half of the deeds may be that of an app that was told made-up kinds of messages")
    func hiddenKinds() throws {
        let bench = try TestBench()
        let app = "\(Self.pair) meter"
        try bench.record(["--phone", app, "--watch", app])
        for words in [[], ["--accept"]] {
            for (change, isAdvised) in [("", false), ("mute", true)] {
                let result = try TestBench.run(
                    "watchlink",
                    ["replay", "\(bench.path)/cassettes/seed-1/watch-1", "--watch", "\(app) --change '\(change)'"]
                        + words)
                let isFound = result.output.contains("keep its key path with --keep")
                #expect(isFound == isAdvised, "\(change) \(words): \(result.output)\(result.errors)")
            }
        }
    }

    @Test("Two cassettes are compared without a build")
    func compare() throws {
        let path = try Self.cassettes.get().path("library", "phone")
        let same = try TestBench.run("watchlink", ["replay", path, "--compare", path])
        #expect(same.code == 0 && same.output.contains(": same\n"), "\(same.output)\(same.errors)")
        let other = try TestBench.run(
            "watchlink", ["replay", path, "--compare", try Self.cassettes.get().path("library", "watch")])
        #expect(other.code == 1 && other.errors.contains("has no events of the phone"), "\(other.errors)")
    }

    @Test("What cannot be replayed is refused with what to do")
    func refused() throws {
        let path = try Self.cassettes.get().path("library", "phone")
        for (words, code, text) in [
            ([path], 2, "--phone PROGRAM or --watch PROGRAM"), ([], 2, "needs one cassette"),
            ([path, "--watch", Self.pair], 1, "has no events of the watch"),
            ([path, "--phone", "/bin/true"], 1, "linked with the product DeviceControl"),
            ([path + "/accepted-phone", "--phone", "/nowhere/app"], 2, "is not an executable file"),
            (["/nowhere", "--phone", Self.pair], 1, "does not exist"),
            ([path, "--phone", Self.pair, "--state", "/nowhere"], 1, "--state /nowhere: it cannot be copied"),
            ([path, "--phone", "\(Self.services) host"], 1, "or be a service and run with --service"),
            (
                [path, "--compare", path, "--state", "/tmp"], 2,
                "--state is for a build; --compare compares two recordings"
            ),
            ([path, "--phone", Self.pair, "--real-time", "--seed", "2"], 2, "--seed has no effect in real time"),
        ] as [([String], Int32, String)] {
            let result = try TestBench.run("watchlink", ["replay"] + words)
            #expect(result.code == code && result.errors.contains(text), "\(words): \(result.code) \(result.errors)")
        }
    }
}
