import CassetteReplay
import Cassettes
import Configuration
import Foundation
import ServiceRuntime
import VirtualTime

/// `watchlink skew`: every build of the phone's app with every build of the watch's, live and against cassettes.
struct SkewMatrix {
    /// The seed of all worlds: builds differ, and nothing else.
    private static let seed: UInt64 = 1
    private static let hours = 0.001...8_760.0

    private let phones: [TestedBuild]
    private let watches: [TestedBuild]
    private let cassettes: [Cassette]
    private let length: Duration
    private let conductor: Conductor
    private let wantsJSON: Bool

    init(_ operands: ArraySlice<String>, _ options: ParsedOptions, _ conductor: Conductor) throws {
        if let word = operands.first {
            throw UsageError("unexpected “\(word)”; builds belong to --phones and --watches")
        }
        phones = try Self.builds("phone", options.all("phones"), "--phones")
        watches = try Self.builds("watch", options.all("watches"), "--watches")
        let folder = options["cassettes"].map { URL(filePath: $0).standardizedFileURL.path(percentEncoded: false) }
        cassettes =
            try folder.map { folder in
                let paths = try Cassette.all(at: folder)
                guard !paths.isEmpty else { throw Cassette.error(at: folder) }
                return try paths.map { path throws(CassetteError) in try Cassette(at: path) }
            } ?? []
        guard !phones.isEmpty, !watches.isEmpty || !cassettes.isEmpty else {
            throw UsageError("skew needs --phones A,B,… and --watches X,Y,…, the oldest builds first")
        }
        length = .milliseconds(Int64(try options.number("hours", 1, within: Self.hours) * 3_600_000))
        self.conductor = conductor
        wantsJSON = options.has("json")
    }

    /// Parses lists of programs, each with its arguments, separated by commas.
    private static func builds(_ side: String, _ lists: [String], _ option: String) throws -> [TestedBuild] {
        try lists.flatMap { $0.split(separator: ",") }.map { text throws(UsageError) in
            try TestedBuild(text.trimmingCharacters(in: .whitespaces), of: side, option: option)
        }
    }

    /// - Returns: True if a pair does not get on.
    func run() throws -> Bool {
        var cells: [SkewCell] = []
        if !watches.isEmpty { cells += try live() }
        for cassette in cassettes {
            for build in phones + watches where cassette.manifest.sides.contains(build.side) {
                let trial = try BuildTrial(
                    build, against: cassette, expecting: try ExpectedChange.all(inside: cassette.path, or: nil),
                    seed: Self.seed,
                    in: .virtual(conductor))
                let name = URL(filePath: cassette.path).lastPathComponent
                cells.append(SkewCell(build.title, name, trial.judgement.findings))
            }
        }
        let report = SkewReport(cells)
        try StandardOutput.print(wantsJSON ? report.json.text(pretty: true) : report.text)
        return cells.contains { $0.verdict > .equivalent }
    }

    // MARK: - Live

    /// Runs every pair; each app must do with a build what it does with the oldest one.
    private func live() throws -> [SkewCell] {
        var runs: [[SkewRun]] = []
        for phone in phones {
            runs.append(
                try watches.map { try SkewRun(phone, $0, length: length, seed: Self.seed, conductor) })
        }
        var cells: [SkewCell] = []
        for (row, phone) in phones.enumerated() {
            for (column, watch) in watches.enumerated() {
                let run = runs[row][column]
                let deviations =
                    run.failures
                    + TapeComparison(runs[row][0].phone, run.phone).deviations
                    + TapeComparison(runs[0][column].watch, run.watch).deviations
                let judgement = Judgement(deviations, expecting: [], at: Date())
                cells.append(SkewCell(phone.title, watch.title, judgement.findings))
            }
        }
        return cells
    }
}
