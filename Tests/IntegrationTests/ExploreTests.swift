import Foundation
import Testing
import VirtualTime

/// A phone and a watch as their authors write them, in virtual time.
@Suite("Exploring two programs", .enabled(if: World.isAvailable, "Worlds do not exist under the thread sanitizer."))
struct ExploreTests {
    private static let pair = TestBench.program("QuizPair").path(percentEncoded: false)

    private func explore(_ arguments: String...) throws -> CommandResult {
        try TestBench.run("watchlink-explore", arguments)
    }

    @Test("A correct pair has no finding in an hour of each seed")
    func correct() throws {
        let result = try explore("--phone", Self.pair, "--watch", Self.pair, "--seeds", "1...4", "--kills", "0")
        #expect(result.code == 0, "\(result.output)\(result.errors)")
        #expect(result.output.hasSuffix(", 0 of them with a finding\n") && result.output.hasPrefix("4 seeds in "))
    }

    @Test("Points that a phone loses are found, and the finding shows them again, byte for byte")
    func careless() throws {
        let bench = try TestBench()
        let result = try explore(
            "--phone", "\(Self.pair) careless", "--watch", Self.pair, "--seeds", "1...2", "--kills", "0", "--findings",
            bench.path + "/findings", "--tries", "10")
        #expect(result.code == 3, "\(result.output)\(result.errors)")
        #expect(result.output.contains("seed 1: the watch failed: FINDING: the phone has "), "\(result.output)")
        let file = bench.path + "/findings/seed-1.json"
        #expect(result.output.contains("watchlink-explore --replay \(file)\n"))
        let (first, second) = (try explore("--replay", file), try explore("--replay", file))
        #expect(first.code == 3)
        #expect(first.errors.isEmpty, "\(first.errors)")
        #expect(first.output.contains("\nthe watch failed: FINDING: the phone has "), "\(first.output)")
        #expect(first.output == second.output)
    }

    @Test("A seed kills devices and starts them again, and its trace has the same bytes each time")
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
        #expect(try first == traces("three"))
        #expect(Set(first).count == 6)
        let text = first.map { String(decoding: $0, as: UTF8.self) }.joined()
        for device in ["phone", "watch"] {
            #expect(text.contains(try Regex("== \(device), from .* seconds: killed")), "\(text)")
            #expect(text.contains(try Regex("== \(device), from [^0].* seconds: ran until the end")), "\(text)")
        }
    }

    @Test("A program that ends as it should not is a finding")
    func ending() throws {
        let result = try explore("--phone", Self.pair, "--watch", "/bin/false", "--seeds", "7...7", "--json")
        #expect(result.code == 3)
        #expect(result.output.contains("\"the watch exited with code 1\""), "\(result.output)")
    }

    @Test("Wrong words say what is allowed")
    func wrongWords() throws {
        let devices = ["--phone", Self.pair, "--watch", Self.pair]
        for (words, message) in [
            ([], "--phone PROGRAM is needed"),
            (["--phone", "/nowhere/app", "--watch", Self.pair], "no program at /nowhere/app"),
            (devices + ["--hours", "0"], "--hours 0: it must be one of 0.001 to 8760"),
            (devices + ["--hours", "nan"], "--hours nan"), (devices + ["--kills", "-1"], "0 to 1000"),
            (devices + ["--jobs", "0"], "1 to 256"), (devices + ["--seeds", "3...1"], "say it as 1...100"),
        ] {
            let result = try TestBench.run("watchlink-explore", words)
            #expect(result.code == 2, "\(words)")
            #expect(result.errors.contains(message), "\(words): \(result.errors)")
        }
        let missing = try explore("--replay", "/nowhere/finding.json")
        #expect(missing.code == 1)
        #expect(missing.errors.contains("cannot read /nowhere/finding.json"))
    }
}
