import Foundation

/// Tests the codec with random graphs of objects: see `.ci/fuzz`.
@main
enum GraphFuzzer {
    private static let usage = """
        Tests every entry point of the codec with archives of random graphs, in many processes with different hash
        seeds.

            GraphFuzzer run [graphs=N] [seconds=N] [first=SEED] [folder=FOLDER]
            GraphFuzzer archive FILE…
            GraphFuzzer write SEED FILE

        “run” tests graphs up to the given number or time, and stores the archives of those that fail, as they are and
        shrunk, in the folder (.build/fuzzing/graphs by default). “archive” prints the result of each entry point for
        each archive. “write” writes the archive of a seed.
        """

    static func main() throws {
        let arguments = CommandLine.arguments.dropFirst()
        switch arguments.first {
        case "run": try run(arguments.dropFirst())
        case "archive": try judge(arguments.dropFirst())
        case "write": try write(Array(arguments.dropFirst()))
        case "seeds": try work(Array(arguments.dropFirst()))
        default: refuse("")
        }
    }

    private static func refuse(_ complaint: String) -> Never {
        FileHandle.standardError.write(Data((complaint + usage + "\n").utf8))
        exit(2)
    }

    private static func run(_ words: ArraySlice<String>) throws {
        var (graphs, first) = (UInt64.max, UInt64.random(in: 0..<1 << 48))
        var end = Date.distantFuture
        var folder = ".build/fuzzing/graphs"
        for word in words {
            let parts = word.split(separator: "=", maxSplits: 1).map(String.init)
            switch (parts.first, parts.last) {
            case ("graphs", let text?) where UInt64(text) != nil: graphs = UInt64(text) ?? graphs
            case ("seconds", let text?) where Double(text) != nil: end = Date(timeIntervalSinceNow: Double(text) ?? 0)
            case ("first", let text?) where UInt64(text) != nil: first = UInt64(text) ?? first
            case ("folder", let text?): folder = text
            default: refuse("“\(word)” is not a valid option.\n")
            }
        }
        // The range of seeds must not overflow.
        graphs = min(graphs, UInt64.max - first)
        let program = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
        var campaign = try Campaign(program: program, folder: URL(filePath: folder))
        try campaign.run(from: first, graphs: graphs, until: end)
        print("\(campaign.tried) graphs from seed \(first), \(campaign.read) of them read as objects")
        for failure in campaign.failures { print(failure) }
        exit(campaign.failures.isEmpty ? 0 : 1)
    }

    private static func judge(_ files: ArraySlice<String>) throws {
        var isWell = true
        for file in files {
            let doors = Worker.judge(try Data(contentsOf: URL(filePath: file)))
            print(file, doors.verdicts.joined(separator: "; "))
            for complaint in doors.complaints { print("complaint:", complaint) }
            isWell = isWell && doors.complaints.isEmpty
        }
        exit(isWell ? 0 : 1)
    }

    private static func write(_ words: [String]) throws {
        guard words.count == 2, let seed = UInt64(words[0]) else { refuse("") }
        try GraphGenerator.graph(seed: seed).archive().write(to: URL(filePath: words[1]))
    }

    private static func work(_ words: [String]) throws {
        guard words.count == 3, let first = UInt64(words[0]), let end = UInt64(words[1]), first < end,
            let mark = FileHandle(forWritingAtPath: words[2])
        else { refuse("") }
        try Worker.run(first..<end, mark: mark)
    }
}
