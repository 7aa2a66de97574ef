import Foundation
import ServiceRuntime
import Trials

/// The operator's work on a full database, through a running host and with the real command: the cost of a row, and
/// what others wait meanwhile.
struct OperateBenchmark {
    /// The quizzes in the database unless others are asked for. 100,000: ten seconds of benchmark.
    static let usualQuizzes = 100_000
    /// The quizzes that may be asked for. Ten million: some ten GB.
    static let quizzes = 100...10_000_000
    /// The bytes of log for each quiz: a million have a gigabyte.
    private static let logBytes = 1_000
    /// The goal of a row of a list: a million in ten seconds.
    private static let rowSeconds = 10e-6
    /// The goal of a row of a log's thousand bytes: a gigabyte in a minute.
    private static let logSeconds = 60e-6
    /// The goals of the command's memory.
    private static let (listBytes, timelineBytes) = (60e6, 300e6)
    /// The most entries of a ledger that one command shows.
    private static let ledgerEntries = 1_000

    let effort: Effort
    let folder: BenchFolder
    private let count: Int

    init(effort: Effort, folder: BenchFolder, quizzes: Int) {
        self.effort = effort
        self.folder = folder
        count = max(Self.quizzes.lowerBound, Int(Double(quizzes) * effort.scale))
    }

    func report() throws -> Report {
        let pair = try ServicePair(in: folder, [])
        let database = pair.services.state.path(of: "quizzes.sqlite")
        try StoredQuizzes(at: database).add(count)
        try pair.start("host")
        var (rows, peak) = try lists(pair)
        let companions = OperatorsNeighbours(effort: effort, pair: pair)
        rows.append(try companions.backup(to: try folder.socket("backup")))
        // The quizzes that were stored beside the backup have filled the ledger.
        let ledger = try measure(
            "ledger", ["ledger", "host", "--limit", "\(Self.ledgerEntries)"], pair, rows: Self.ledgerEntries, each: nil)
        rows.append(ledger.row)
        peak = max(peak, ledger.peak)
        rows.append(
            Measurement(
                name: "memory of the command, the largest of these", value: peak, unit: .bytes,
                goal: .atMost(Self.listBytes)))
        rows += try timeline()
        try pair.stop(["host"])
        try StoredQuizzes(at: database).expire(keeping: count / 2)
        try pair.start("host")
        rows += try companions.vacuum()
        try pair.stop(["host"])
        return Report(
            title: "Operation: a database with \(count) quizzes",
            notes: ["µs: processor time of a row, of the command and of the host. MiB: the command's peak memory."],
            rows: rows)
    }

    private func lists(_ pair: ServicePair) throws -> ([Measurement], peak: Double) {
        let export = try folder.socket("export")
        let empty = try ServicePair(in: folder, ["host"])
        let measured = [
            try measure("list", ["quizzes", "list"], pair, rows: count),
            try measure("list --json", ["quizzes", "list", "--json"], pair, rows: count),
            try measure("export", ["quizzes", "export"], output: export, pair, rows: count),
            try measure("export --format csv", ["quizzes", "export", "--format", "csv"], pair, rows: count),
            try measure("import into an empty host", ["quizzes", "import", export], empty, rows: count),
        ]
        try empty.stop(["host"])
        return (measured.map(\.row), measured.map(\.peak).max() ?? 0)
    }

    private func measure(
        _ name: String, _ words: [String], output: String = "/dev/null", _ pair: ServicePair, rows: Int,
        each seconds: Double? = Self.rowSeconds
    ) throws -> (row: Measurement, peak: Double) {
        let state = pair.services.state.path
        guard let host = pair.services.processIdentifier(of: "host") else { throw BenchError("the host has ended") }
        let before = try ProcessFigures.processorSeconds(host)
        let run = try MeasuredCommand.run(["--state-directory", state] + words, output: output)
        let used = try ProcessFigures.processorSeconds(host) - before
        let row = Measurement(
            name: "\(name), \(rows) rows", value: run.seconds, unit: .seconds,
            goal: seconds.map { .atMost($0 * Double(rows)) },
            details: [
                ("command µs", run.processor / Double(rows) * 1e6), ("host µs", used / Double(rows) * 1e6),
                ("MiB", run.peakBytes / 1_048_576),
            ])
        return (row, run.peakBytes)
    }

    private func timeline() throws -> [Measurement] {
        let log = try folder.socket("host") + ".log"
        let bytes = try LogText.write(count * Self.logBytes, to: log)
        let run = try MeasuredCommand.run(["timeline", log])
        try FileManager.default.removeItem(atPath: log)
        let size = Measurement.text(Double(bytes), .bytes)
        return [
            Measurement(
                name: "timeline of a log of \(size)", value: run.seconds, unit: .seconds,
                goal: .atMost(Self.logSeconds * Double(bytes / Self.logBytes)),
                details: [("command s", run.processor)]),
            Measurement(
                name: "memory of the timeline", value: run.peakBytes, unit: .bytes, goal: .atMost(Self.timelineBytes)),
        ]
    }
}
