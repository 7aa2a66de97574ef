import Foundation
import Testing

@testable import ServiceRuntime
@testable import watchlink_explore

@Suite("Merged exploration summaries")
struct ExplorationSummaryTests {
    private static func part(
        _ shard: Shard = .whole, first: UInt64 = 1, isComplete: Bool = true
    ) -> ExplorationSummary.Part {
        .init(first: first, last: 100, shard: shard, isComplete: isComplete)
    }

    private static func found(_ seed: UInt64, _ cause: String, decisions: Int? = nil) -> ExplorationSummary.Found {
        .init(
            seed: seed, what: "\(cause) at \(seed)", cause: cause, file: decisions.map { "seed-\(seed)-\($0).json" },
            decisions: decisions)
    }

    @Test("Each seed belongs to one shard, and each shard has some early seeds", arguments: [1, 2, 3, 7, 100, 101])
    func shards(_ count: Int) throws {
        var seen: [UInt64] = []
        for number in 1...count {
            guard let (first, step) = try Shard("\(number)/\(count)").seeds(5...104) else { continue }
            #expect(first == 5 + UInt64(number - 1))
            seen += stride(from: first, through: 104, by: Int(step))
        }
        #expect(seen.sorted() == Array(5...104))
    }

    @Test("The last possible seeds are divided as well")
    func lastSeeds() throws {
        let none = try Shard("2/3").seeds(.max ... .max)?.first
        #expect(none == nil)
        let last = try Shard("1/3").seeds(.max ... .max)?.first
        #expect(last == .max)
    }

    @Test(
        "An invalid shard is refused with the expected form",
        arguments: ["", "1", "0/2", "3/2", "1/0", "-1/2", "1/2/3", "a/b", "1/1000001", " 1/2", "1/"])
    func wrongShard(_ text: String) {
        let error = #expect(throws: UsageError.self) { try Shard(text) }
        #expect(
            error?.description.contains("must be one of 1/N to N/N, such as 2/8") == true, "\(error?.description ?? "")"
        )
    }

    @Test("A condition counts as never reached only after every shard has finished")
    func never() throws {
        var summary = ExplorationSummary(parts: [Self.part(try Shard("1/2"))])
        summary.sometimes = ["late": 0, "switch": 2]
        #expect(summary.never.isEmpty)
        #expect(summary.isGood)
        #expect(summary.missing == ["shard 2/2 of seeds from 1"])
        var second = ExplorationSummary(parts: [Self.part(try Shard("2/2"), isComplete: false)])
        second.sometimes = ["late": 0, "never": 0]
        var unfinished = summary
        unfinished.add(second)
        #expect(unfinished.missing == ["shard 2/2 of seeds from 1"])
        #expect(unfinished.never.isEmpty)
        second.parts[0].isComplete = true
        summary.add(second)
        #expect(summary.missing.isEmpty)
        #expect(summary.never == ["late", "never"])
        #expect(!summary.isGood)
        var third = ExplorationSummary(parts: [Self.part(first: 101)])
        third.sometimes = ["late": 1]
        summary.add(third)
        #expect(summary.never == ["never"])
    }

    @Test("A seed explored by several shards is one finding; runs and times add up")
    func add() {
        var first = ExplorationSummary(parts: [Self.part()])
        (first.runs, first.seconds, first.found, first.unrepeatable) = (
            10, 1.5, [Self.found(3, "a"), Self.found(9, "b")], [8]
        )
        var second = ExplorationSummary(parts: [Self.part()])
        (second.runs, second.seconds, second.found, second.unrepeatable) = (
            5, 2, [Self.found(3, "a"), Self.found(5, "a")], [8, 2]
        )
        first.add(second)
        #expect(first.runs == 15)
        #expect(first.seconds == 3.5)
        #expect(first.found.map(\.seed) == [3, 5, 9])
        #expect(first.unrepeatable == [2, 8])
        // The seeds of another exploration have nothing to do with these.
        var third = ExplorationSummary(parts: [Self.part()])
        third.found = [Self.found(3, "c"), Self.found(9, "b")]
        first.add(third)
        #expect(first.found.map { "\($0.seed) \($0.cause)" } == ["3 a", "3 c", "5 a", "9 b"])
    }

    @Test("Each cause is reported once, by its shortest course, in the order of first seeds")
    func causes() {
        var summary = ExplorationSummary(parts: [Self.part()])
        summary.found =
            [
                Self.found(2, "b"), Self.found(3, "a", decisions: 9), Self.found(4, "a"),
                Self.found(5, "a", decisions: 2),
            ] + (6...9).map { Self.found($0, "a", decisions: 2) }
        let causes = Cause.all(of: summary)
        #expect(causes.map(\.example.seed) == [2, 5])
        #expect(causes.map(\.seedsText) == ["seed 2", "seeds 3, 4, 5, 6, 7 and 2 more"])
        let text = SummaryText(summary).text
        #expect(
            text.contains(
                "seeds 3, 4, 5, 6, 7 and 2 more: a at 5\n    watchlink explore replay seed-5-2.json    # 2 decisions\n"),
            "\(text)")
    }

    @Test("A failure of several lines is shown line by line, without what disturbs a terminal")
    func linesOfFailures() {
        var summary = ExplorationSummary(parts: [Self.part()])
        summary.found = [Self.found(2, "all threads wait:\n  thread 0 waits\u{1B}[2J")]
        let text = SummaryText(summary).text
        #expect(text.hasPrefix("seed 2: all threads wait:\n      thread 0 waits\\u{1b}[2J at 2\n"), "\(text)")
    }

    @Test("The first difference of a seed's second run is shown, and kept when summaries are merged")
    func partings() {
        var one = ExplorationSummary(parts: [Self.part()])
        one.add(3, [], Promises([]), parting: "line 1 that watch printed: “a”; again: “b”")
        var other = ExplorationSummary(parts: [Self.part()])
        other.add(5, [], Promises([]), parting: "line 2 that phone printed: nothing; again: “\n”")
        one.add(other)
        #expect(one.unrepeatable == [3, 5])
        let text = SummaryText(one).text
        let line = "the second run differed (line 1 that watch printed: “a”; again: “b”); something outside the seed"
        #expect(text.contains("seed 3: \(line)"), "\(text)")
        #expect(text.contains("again: “\\u{a}”"), "\(text)")
    }

    @Test("Reports of programs are recognised by the start of a line")
    func promises() {
        let promises = Promises([
            Array("SOMETIMES a late reply\nREACHED a late reply\n REACHED x\nSOMETIMES \nSOMETIMES\n".utf8),
            Array("x SOMETIMES y\nREACHED   z\nSOMETIMES without an end".utf8),
        ])
        #expect(promises.declared == ["a late reply", "without an end"])
        #expect(promises.reached == ["a late reply", "z"])
    }

    @Test("A program cannot fill the memory with names")
    func manyNames() {
        let lines = (0..<2_000).map { "SOMETIMES \($0)" }.joined(separator: "\n")
        #expect(Promises([Array(lines.utf8)]).declared.count == 1_000)
    }

    @Test("A summary is read back from its file, with its findings, wherever the directory is")
    func file() throws {
        let bench = try TestBench()
        let directory = URL(filePath: bench.path)
        var summary = ExplorationSummary(parts: [Self.part(try Shard("2/8"))])
        summary.found = [Self.found(3, "a")]
        summary.found[0].file = "/elsewhere/seed-3.json"
        try SummaryFile(directory, 1, try Shard("2/8")).write(summary)
        let files = try SummaryFile.all(in: bench.path)
        #expect(files.map(\.url.lastPathComponent) == ["summary-1-shard-2-of-8.json"])
        let read = try #require(files.first).read()
        #expect(read.found[0].file == bench.path + "/seed-3.json")
        summary.found[0].file = read.found[0].file
        #expect(read == summary)
    }
}
