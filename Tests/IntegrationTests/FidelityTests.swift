import Foundation
import TestSupport
import Testing
import VirtualTime

/// The fidelity probe: what it observes here, and the comparison of its records.
@Suite("Fidelity")
struct FidelityTests {
    private static let folder = ProjectFiles.root.appending(path: "Tests/FidelityProbe")
    private static let recorded = folder.appending(path: "recorded/simulator").path(percentEncoded: false)
    private static let program = TestBench.program("FidelityProbe").path(percentEncoded: false)

    private static func text(_ path: String) throws -> String {
        try String(contentsOf: ProjectFiles.root.appending(path: path), encoding: .utf8)
    }

    /// The probe's claims as it prints them: identifier, sides, words.
    private static func claims() throws -> [[String]] {
        let result = try TestBench.run("FidelityProbe", ["claims"])
        try #require(result.code == 0, "\(result)")
        return result.output.split(separator: "\n").map { $0.components(separatedBy: "\t") }
    }

    private static func compare(_ record: String, _ words: String...) throws -> CommandResult {
        try TestBench.run("watchlink", ["replay", recorded, "--compare", record] + words)
    }

    /// Writes a record that differs from that of the simulator.
    private static func write(_ bench: TestBench, _ change: (String) -> String?) throws -> String {
        let lines = try String(contentsOfFile: "\(recorded)/claims.jsonl", encoding: .utf8).split(separator: "\n")
        return try bench.write("claims.jsonl", lines.compactMap { change(String($0)) }.joined(separator: "\n"))
    }

    @Test(
        "The simulator does what its record says, with any order of threads",
        .enabled(if: World.isAvailable, "Worlds do not exist under the thread sanitizer."), arguments: [1, 2])
    func today(_ seed: Int) throws {
        let bench = try TestBench()
        let scenario = Self.folder.appending(path: "probe.json5").path(percentEncoded: false)
        let played = try bench.watchlink([
            "scenario", "run", "--virtual", "--seed", "\(seed)", scenario, "--phone",
            "\(Self.program) --record \(bench.path)/record", "--watch", Self.program,
        ])
        #expect(played.code == 0, "\(played.output)\(played.errors)")
        let result = try Self.compare("\(bench.path)/record")
        #expect(result.code == 0, "\(result.output)\(result.errors)")
        #expect(result.output.contains(" 0 not tried, 0 different\n"), "\(result.output)")
    }

    @Test(
        "A deed that nobody does leaves its claims untried, with the reason, and makes no difference",
        .enabled(if: World.isAvailable, "Worlds do not exist under the thread sanitizer."))
    func idle() throws {
        let bench = try TestBench()
        let scenario = try bench.write(
            "idle.json5",
            """
            { name: "idle", steps: [
                { at: "90min", on: "phone", do: "await", log: "DONE: " } ] }
            """)
        let played = try bench.watchlink([
            "scenario", "run", "--virtual", scenario, "--phone", "\(Self.program) --record \(bench.path)/record",
            "--watch", Self.program,
        ])
        #expect(played.code == 0, "\(played.output)\(played.errors)")
        let result = try Self.compare("\(bench.path)/record")
        #expect(result.code == 0, "\(result.output)\(result.errors)")
        for (claim, reason) in [
            ("away.message, phone and watch", "the other device was not put out of reach"),
            ("away.userInfos, phone and watch", "the other device was not put out of reach"),
            ("background.message, phone", "the watch stayed reachable"),
            ("background.wake, watch", "no reply came from a phone app in the background"),
            ("relaunch.userInfos, watch", "the watch's app was not ended"),
            ("relaunch.didFinish, phone", "the watch was not put out of reach"),
            ("complication.budget, phone", "the watch's face has no complication of the app"),
        ] {
            let lines = result.output.components(separatedBy: "\n")
            let place = try #require(lines.firstIndex { $0.hasPrefix("  \(claim): ") }, "\(claim): \(result.output)")
            #expect(lines[place + 2].hasSuffix("  not tried: \(reason)"), "\(lines[place + 2])")
        }
    }

    @Test(
        "A call that ends the app is recorded as such, and a new process goes on after it",
        .enabled(if: World.isAvailable, "Worlds do not exist under the thread sanitizer."))
    func ended() throws {
        let bench = try TestBench()
        let last = #"{ on: "phone", do: "await", log: "DONE: " },"#
        let kill = """
            { on: "phone", do: "await", log: "a URL that is not a file" }, { on: "phone", do: "kill" },
            { on: "phone", do: "start" },
            """
        let whole = try Self.text("Tests/FidelityProbe/probe.json5")
        try #require(whole.contains(last), "\(whole)")
        let scenario = try bench.write("killed.json5", whole.replacing(last, with: kill + last))
        // Whether the call is still going on when the phone is killed depends on the order of threads, by the seed.
        var result: CommandResult?
        for seed in 1...8 where result == nil {
            let record = "\(bench.path)/record-\(seed)"
            let played = try bench.watchlink([
                "scenario", "run", "--virtual", "--seed", "\(seed)", scenario, "--phone",
                "\(Self.program) --record \(record)", "--watch", Self.program,
            ])
            let compared = played.code == 0 ? try Self.compare(record) : played
            if compared.output.contains("  the app ended\n") { result = compared }
        }
        let output = try #require(result, "no seed kills the app in its call").output
        #expect(result?.code == 3, "\(output)")
        let lines = output.components(separatedBy: "\n")
        let place = try #require(lines.firstIndex { $0.hasPrefix("  file.notAFile, phone: ") }, "\(output)")
        #expect(lines[place + 2].hasSuffix("  the app ended"), "\(output)")
        #expect(output.hasSuffix(" 0 not tried, 1 different\n"), "\(output)")
    }

    @Test("The record of the simulator has every claim of the probe, tried on each of its sides")
    func complete() throws {
        let lines = try Self.text("Tests/FidelityProbe/recorded/simulator/claims.jsonl").split(separator: "\n")
            .dropFirst().map { try JSONDecoder().decode([String: String].self, from: Data($0.utf8)) }
        let recorded = lines.map { [$0["id"] ?? "", $0["side"] ?? "", $0["claim"] ?? ""] }
        let wanted = try Self.claims().flatMap { claim in
            claim[1].components(separatedBy: ", ").map { [claim[0], $0, claim[2]] }
        }
        #expect(recorded == wanted, "\(Set(recorded).symmetricDifference(wanted))")
        let untried = lines.filter { $0["observed"] == nil }
        #expect(untried.isEmpty, "\(untried)")
    }

    @Test("The article has every claim of the probe with its sides, its words and a source, and no other")
    func article() throws {
        let page = try Self.text("Sources/Device/WatchConnectivity/WatchConnectivity.docc/Fidelity.md")
        let rows = page.matches(of: /(?m)^\| `([\w.]+)` \| ([\w, ]+) \| (.+?) \| (.+) \|$/)
        let listed = rows.map { [String($0.1), String($0.2), String($0.3)] }
        let claims = try Self.claims()
        #expect(Set(claims.map { $0[0] }).count == claims.count, "a claim is there twice")
        #expect(Set(listed) == Set(claims), "\(Set(listed).symmetricDifference(claims))")
        #expect(listed.count == claims.count, "a claim stands in two lists")
        for row in rows { #expect(!row.4.trimmingCharacters(in: .whitespaces).isEmpty, "\(row.1) has no source") }
    }

    @Test("The apps' sources compile for Apple's platforms: they import two modules, and each role has its own members")
    func portable() throws {
        let ofPhone =
            /isPaired|isWatchAppInstalled|isComplicationEnabled|remainingComplication|watchDirectoryURL|isCurrentComplication|transferCurrentComplication|sessionWatchState|sessionDid/
        let ofWatch = /isCompanionAppInstalled|iOSDeviceNeedsUnlock|sessionCompanionApp/
        let foreign = /#if|\.simulator|\.counterpart|defaultConfiguration|DeviceSimulator/
        for folder in ["Shared", "Phone", "Watch"] {
            let files = ProjectFiles.all(below: "Tests/FidelityProbe/\(folder)", suffix: ".swift")
            #expect(files.count > 1, "\(folder)")
            for file in files where file.lastPathComponent != "Claims.swift" {
                let text = try String(contentsOf: file, encoding: .utf8)
                let imports = text.matches(of: /(?m)^import (\w+)/).map { String($0.1) }
                #expect(Set(imports).isSubset(of: ["Foundation", "WatchConnectivity"]), "\(file.path): \(imports)")
                #expect(text.firstMatch(of: foreign) == nil, "\(file.path)")
                if folder != "Phone" { #expect(text.firstMatch(of: ofPhone) == nil, "\(file.path)") }
                if folder != "Watch" { #expect(text.firstMatch(of: ofWatch) == nil, "\(file.path)") }
            }
        }
    }

    @Test("The README and the scenario know each deed that the probe asks for")
    func deeds() throws {
        let sources = try ProjectFiles.all(below: "Tests/FidelityProbe", suffix: ".swift")
            .map { try String(contentsOf: $0, encoding: .utf8) }.joined()
        let asked = Set(
            sources.matches(of: /ask\("([\w-]+)"|"DO ([\w-]+):/).map { String($0.1 ?? $0.2 ?? "") })
        #expect(asked.count > 10, "\(asked)")
        let readme = try Self.text("Tests/FidelityProbe/README.md")
        let explained = Set(readme.matches(of: /(?m)^\| `([\w-]+)` \|/).map { String($0.1) })
            .subtracting(["Shared", "Phone", "Watch", "Apple", "Linux"])
        #expect(explained == asked, "\(explained.symmetricDifference(asked))")
        let scenario = try Self.text("Tests/FidelityProbe/probe.json5")
        // These two need nothing to be done to simulated devices.
        for deed in asked.subtracting(["start", "nothing"]).sorted() {
            #expect(scenario.contains("\"DO \(deed)\""), "\(deed)")
        }
    }

    @Test("A difference is shown with both observations, and the exit code is 3")
    func different() throws {
        let bench = try TestBench()
        let record = try Self.write(bench) { line in
            line.contains(#""id":"message.order""#) && line.contains("phone")
                ? line.replacing("1 2 3", with: "2 1 3") : line
        }
        let result = try Self.compare(record, "--junit", "\(bench.path)/claims.xml")
        #expect(result.code == 3, "\(result.output)\(result.errors)")
        let order = (1...20).map { "\($0)" }.joined(separator: " ")
        let width = max(Self.recorded.count, record.count)
        func padded(_ path: String) -> String { path + String(repeating: " ", count: width - path.count) }
        let wanted = """
            different
              message.order, phone: Messages arrive in the order in which they were sent
                  \(padded(Self.recorded))  \(order)
                  \(padded(record))  \(order.replacing("1 2 3", with: "2 1 3"))


            """
        #expect(result.output.contains(wanted), "\(result.output)")
        #expect(result.output.contains("  message.order, watch: "), "\(result.output)")
        #expect(result.output.hasSuffix(" 0 not tried, 1 different\n"), "\(result.output)")
        let junit = try String(contentsOfFile: "\(bench.path)/claims.xml", encoding: .utf8)
        #expect(junit.contains(#"name="message.order, phone"><failure"#), "\(junit)")
        #expect(junit.contains(#"name="message.order, watch"/>"#), "\(junit)")
        let json = try Self.compare(record, "--json")
        #expect(json.code == 3, "\(json.output)")
        let object = try #require(
            JSONSerialization.jsonObject(with: Data(json.output.utf8)) as? [String: Any], "\(json.output)")
        #expect(object["different"] as? Int == 1 && object["notTried"] as? Int == 0, "\(json.output)")
        let claims = try #require(object["claims"] as? [[String: Any]], "\(json.output)")
        #expect(claims.filter { $0["verdict"] as? String == "different" }.count == 1, "\(json.output)")
    }

    @Test("Known differences stand in a file with their reasons, and are those that the article names")
    func known() throws {
        let bench = try TestBench()
        let file = Self.folder.appending(path: "expected.json5").path(percentEncoded: false)
        let ids = try Self.text("Tests/FidelityProbe/expected.json5").matches(of: /change: "([\w.]+)"/).map {
            String($0.1)
        }
        let page = try Self.text("Sources/Device/WatchConnectivity/WatchConnectivity.docc/Fidelity.md")
        let named = page.matches(of: /(?m)^\| `([\w.]+)` .*The simulator differs/).map { String($0.1) }
        #expect(ids.sorted() == named.sorted(), "\(ids) \(named)")
        let record = try Self.write(bench) { line in
            ids.contains { line.contains("\"id\":\"\($0)\"") }
                ? line.replacing(/"observed":"/, with: "\"observed\":\"on devices: ") : line
        }
        let alone = try Self.compare(record)
        #expect(alone.code == 3, "\(alone.output)\(alone.errors)")
        let result = try Self.compare(record, "--expect", file, "--junit", "\(bench.path)/claims.xml")
        #expect(result.code == 0, "\(result.output)\(result.errors)")
        #expect(result.output.contains("\nexpected\n"), "\(result.output)")
        #expect(result.output.contains("; expected: Foundation on Linux"), "\(result.output)")
        #expect(result.output.hasSuffix(" expected, 0 not tried, 0 different\n"), "\(result.output)")
        let junit = try String(contentsOfFile: "\(bench.path)/claims.xml", encoding: .utf8)
        #expect(!junit.contains("<failure"), "\(junit)")
        let json = try Self.compare(record, "--expect", file, "--json")
        #expect(json.output.contains(#""reason" : "Foundation on Linux"#), "\(json.output)")
        let same = try Self.compare(Self.recorded, "--expect", file)
        #expect(same.output.contains("\nexpected, but not seen: file.inbox ("), "\(same.output)")
    }

    @Test("What a person has not done is not tried, with the reason, and no difference")
    func notTried() throws {
        let bench = try TestBench()
        let record = try Self.write(bench) { line in
            if line.contains(#""id":"complication.budget""#) {
                return line.replacing(#""observed":"50 remain""#, with: #""notTried":"no complication""#)
            }
            return line.contains(#""id":"file.notAFile""#) ? nil : line
        }
        let result = try Self.compare(record)
        #expect(result.code == 0, "\(result.output)\(result.errors)")
        #expect(result.output.contains("  50 remain\n"), "\(result.output)")
        #expect(result.output.contains("  not tried: no complication\n"), "\(result.output)")
        #expect(result.output.contains("  not tried: the record does not have it\n"), "\(result.output)")
        #expect(result.output.hasSuffix(" 2 not tried, 0 different\n"), "\(result.output)")
    }

    @Test("A record of claims is not taken for a cassette")
    func mixed() throws {
        let cassette = ProjectFiles.root.appending(path: "Tests/Formats/0.2.0/cassettes/library-phone")
            .path(percentEncoded: false)
        for (words, reason) in [
            ([Self.recorded, "--phone", "/bin/true"], "it can only be compared, with --compare"),
            ([Self.recorded, "--compare", cassette], "\(cassette) has no claims.jsonl"),
            ([cassette, "--compare", Self.recorded], "\(cassette) has no claims.jsonl"),
            ([Self.recorded, "--compare", Self.recorded, "--sarif", "x"], "--sarif has no meaning for records"),
        ] {
            let result = try TestBench.run("watchlink", ["replay"] + words)
            #expect(result.code == 2, "\(words): \(result)")
            #expect(result.errors.contains(reason), "\(words): \(result)")
        }
    }
}
