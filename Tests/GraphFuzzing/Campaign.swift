import Foundation

/// Tests many graphs in many processes with different hash seeds, and keeps the archives of those that fail.
struct Campaign {
    let program: URL
    let folder: URL
    /// The number of graphs per process. 2,000: starting a process takes as long as some hundred graphs.
    private static let batch: UInt64 = 2000
    /// One in this many batches is repeated by a second process, which must produce the same results.
    private static let repeatedBatch: UInt64 = 8
    /// The number of processes that must pass a smaller graph before it counts as passing. 8: of the known failures,
    /// the rarest occurred in seven of ten processes.
    private static let tries = 8
    /// The number of failures that ends a campaign.
    private static let mostFailures = 10

    private(set) var failures: [String] = []
    private(set) var tried: UInt64 = 0
    private(set) var read = 0

    init(program: URL, folder: URL) throws {
        self.program = program
        self.folder = folder
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    /// Tests the graphs from a first seed on, up to a number or a deadline.
    mutating func run(from first: UInt64, graphs: UInt64, until end: Date) throws {
        var next = first
        while next - first < graphs, Date() < end, failures.count < Self.mostFailures {
            let last = min(next + Self.batch, first + graphs)
            let said = try tryAll(next..<last)
            if (next / Self.batch) % Self.repeatedBatch == 0, let said, let again = try tryAll(next..<last),
                said != again
            {
                failures.append("two processes disagree on seeds \(next) to \(last - 1)")
            }
            next = last
        }
        tried = next - first
    }

    // MARK: - Processes

    /// Tests seeds in one process, and continues after a seed that kills it in another.
    ///
    /// - Returns: The process's last line of output; nil if it died.
    private mutating func tryAll(_ seeds: Range<UInt64>) throws -> String? {
        let mark = folder.appending(path: "mark-\(ProcessInfo.processInfo.processIdentifier)")
        defer { try? FileManager.default.removeItem(at: mark) }
        guard FileManager.default.createFile(atPath: mark.path, contents: Data(count: 8)) else {
            throw POSIXError(.EIO)
        }
        let run = try start(["seeds", "\(seeds.lowerBound)", "\(seeds.upperBound)", mark.path])
        for line in run.output.split(separator: "\n") {
            let words = line.split(separator: " ", maxSplits: 2)
            if words.first == "read", words.count > 1 { read += Int(words[1]) ?? 0 }
            guard words.first == "complaint", words.count > 2, let seed = UInt64(words[1]) else { continue }
            try keep(seed, String(words[2]))
        }
        guard run.status != 0 else { return run.output.split(separator: "\n").last.map(String.init) }
        let dead = try Data(contentsOf: mark).withUnsafeBytes { $0.loadUnaligned(as: UInt64.self) }
        try keep(dead, "the process exited with \(run.status): \(run.complaint)")
        if dead + 1 < seeds.upperBound, failures.count < Self.mostFailures {
            _ = try tryAll(max(dead + 1, seeds.lowerBound)..<seeds.upperBound)
        }
        return nil
    }

    private func start(_ arguments: [String]) throws -> (status: Int32, output: String, complaint: String) {
        let process = Process()
        let (output, complaint) = (Pipe(), Pipe())
        process.executableURL = program
        process.arguments = arguments
        // Each process gets its own hash seed, and crashes without a backtrace, which would take time.
        var environment = ProcessInfo.processInfo.environment
        environment["SWIFT_DETERMINISTIC_HASHING"] = nil
        environment["SWIFT_BACKTRACE"] = "enable=no"
        process.environment = environment
        (process.standardOutput, process.standardError) = (output, complaint)
        try process.run()
        // The error output of a process is short: it fits into the pipe.
        let said = try output.fileHandleForReading.readToEnd() ?? Data()
        let wrong = try complaint.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return (
            process.terminationStatus, String(decoding: said, as: UTF8.self),
            String(decoding: wrong.prefix(300), as: UTF8.self)
        )
    }

    // MARK: - Failures

    /// Stores the archive of a failing seed, and that of the smallest derived graph that still fails.
    private mutating func keep(_ seed: UInt64, _ what: String) throws {
        let graph = GraphGenerator.graph(seed: seed)
        let archive = folder.appending(path: "seed-\(seed).archive")
        try graph.archive().write(to: archive)
        failures.append("seed \(seed): \(what): \(archive.path)")
        var shrinker = Shrinker { [self] in try fails($0) }
        let smallest = try shrinker.smallest(of: graph)
        try smallest.archive().write(to: folder.appending(path: "seed-\(seed)-small.archive"))
    }

    private func fails(_ graph: Graph) throws -> Bool {
        let file = folder.appending(path: "try-\(ProcessInfo.processInfo.processIdentifier)")
        defer { try? FileManager.default.removeItem(at: file) }
        try graph.archive().write(to: file)
        for _ in 0..<Self.tries where try start(["archive", file.path]).status != 0 { return true }
        return false
    }
}
