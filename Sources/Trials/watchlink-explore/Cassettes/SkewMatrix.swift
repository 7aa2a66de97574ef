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
    /// The directory of the cassettes.
    private let folder: String?
    private let length: Duration
    private let conductor: Conductor
    private let wantsJSON: Bool

    init(_ operands: ArraySlice<String>, _ options: ParsedOptions, _ conductor: Conductor) throws {
        if let word = operands.first {
            throw UsageError("unexpected “\(word)”; builds belong to --phones and --watches")
        }
        phones = try Self.builds("phone", options.all("phones"), "--phones")
        watches = try Self.builds("watch", options.all("watches"), "--watches")
        folder = options["cassettes"].map { URL(filePath: $0).standardizedFileURL.path(percentEncoded: false) }
        cassettes =
            try folder.map { folder in
                let paths = try Cassette.all(at: folder)
                guard !paths.isEmpty else { throw Cassette.error(at: folder) }
                return try paths.map { path throws(CassetteError) in try Cassette(at: path) }
            } ?? []
        guard !phones.isEmpty, !watches.isEmpty || !cassettes.isEmpty else {
            throw UsageError(
                "skew needs --phones A,B,…, the oldest builds first, and --watches X,Y,… or --cassettes DIR")
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
        let trials = cassettes.map { cassette in
            (cassette, (phones + watches).filter { cassette.manifest.sides.contains($0.side) })
        }
        let progress = ProgressLine("runs", of: phones.count * watches.count + trials.reduce(0) { $0 + $1.1.count })
        var (cells, done) = ([SkewCell](), 0)
        func step() {
            done += 1
            progress.update(done)
        }
        if !watches.isEmpty { cells += try live(step) }
        for (cassette, builds) in trials {
            for build in builds {
                let trial = try BuildTrial(
                    build, against: cassette, expecting: try ExpectedChange.all(inside: cassette.path, or: nil),
                    seed: Self.seed,
                    in: .virtual(conductor))
                cells.append(
                    SkewCell(
                        build.title, name(of: cassette), isLive: false, trial.judgement.findings.map { SkewFinding($0) }
                    ))
                step()
            }
        }
        progress.finish()
        let report = SkewReport(cells)
        try StandardOutput.print(wantsJSON ? report.json.text(pretty: true) : report.text)
        return cells.contains { $0.verdict > .equivalent }
    }

    /// Returns the path of a cassette within the directory: the recordings of several seeds have the same names.
    private func name(of cassette: Cassette) -> String {
        let name = cassette.path.dropFirst(folder?.count ?? 0).drop { $0 == "/" }
        return name.isEmpty ? URL(filePath: cassette.path).lastPathComponent : String(name)
    }

    // MARK: - Live

    /// Runs every pair; each app must do with a build what it does with the oldest one.
    ///
    /// - Parameter step: What is called after each run.
    private func live(_ step: () -> Void) throws -> [SkewCell] {
        let runs = try phones.map { phone in
            try watches.map { watch in
                defer { step() }
                return try SkewRun(phone, watch, length: length, seed: Self.seed, conductor)
            }
        }
        var cells: [SkewCell] = []
        for (row, phone) in phones.enumerated() {
            for (column, watch) in watches.enumerated() {
                let run = runs[row][column]
                cells.append(
                    SkewCell(
                        phone.title, watch.title, isLive: true,
                        run.failures + run.partings(from: (phone: runs[row][0], watch: runs[0][column])),
                        // What the newer builds do themselves.
                        own: run.partings(from: (phone: runs[0][column], watch: runs[row][0])), ended: run.ended))
            }
        }
        return cells
    }
}
