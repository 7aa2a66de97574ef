import Testing
import VirtualTime

/// Exploration finds the flaws of apps, for a few pairs.
@Suite("Client pairs", .enabled(if: World.isAvailable, "Worlds do not exist under the thread sanitizer."))
struct ClientPairTests {
    private func trial(_ arguments: String...) throws -> CommandResult { try TestBench.run("ClientTrial", arguments) }

    @Test("There are enough pairs with and without a flaw, and an unknown name is rejected")
    func catalogue() throws {
        for (kind, fewest) in [("flawed", 20), ("correct", 10)] {
            let names = try TestBench.run("ClientPairs", [kind])
            #expect(names.output.split(separator: "\n").count >= fewest, "\(names.output)")
        }
        let unknown = try TestBench.run("ClientPairs", ["stepps"])
        #expect(unknown.code == 2)
        #expect(unknown.errors.contains("“stepps” is not a pair"), "\(unknown.errors)")
    }

    @Test("A flaw is found and shrunk, and a pair without a flaw has no findings")
    func found() throws {
        let result = try trial("--seeds", "6", "--tries", "8", "--only", "source-removed,steps")
        #expect(result.code == 0, "\(result.output)\(result.errors)")
        let line = "| source-removed | 1 | 100.0 % | "
        #expect(result.output.contains(line), "\(result.output)")
        #expect(result.output.contains("| steps | 6 | 0 |  |\n"), "\(result.output)")
        #expect(result.output.contains("\nfound: 1 of 1; "), "\(result.output)")
        #expect(result.output.contains("false alarms: 0; not repeatable: none\n12 seeds, "), "\(result.output)")
    }

    @Test("A flaw that no seed shows is reported as not found")
    func notFound() throws {
        // The day is over before the judgement.
        let result = try trial("--seeds", "2", "--hours", "0.1", "--only", "midnight")
        #expect(result.code == 1, "\(result.output)\(result.errors)")
        #expect(result.output.contains("| midnight | not found |"), "\(result.output)")
        #expect(result.output.contains("\nfound: 0 of 1; decisions left, median: none; "), "\(result.output)")
    }

    @Test(
        "Invalid arguments are answered with the allowed values",
        arguments: [
            (["--seeds", "0"], "--seeds 0: it must be one of 1 to 1000000"), (["--hours", "nan"], "0.1 to 24.0"),
            (["--only", "steps,stepps"], "--only stepps: it must be one of coalesced-commands, "),
        ])
    func wrongWords(words: [String], message: String) throws {
        let result = try TestBench.run("ClientTrial", words)
        #expect(result.code == 2, "\(words)")
        #expect(result.errors.contains(message), "\(result.errors)")
    }
}
