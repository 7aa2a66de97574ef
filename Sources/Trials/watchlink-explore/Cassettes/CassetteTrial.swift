import CassetteReplay
import Cassettes
import Foundation
import Processes
import ServiceRuntime
import Timeline
import VirtualTime

/// `watchlink replay`: a build against a cassette, or two cassettes against each other.
struct CassetteTrial {
    /// The options that need a build.
    private static let ofBuilds = [
        "accept", "contract", "file", "phone", "real-time", "seed", "service", "state", "watch",
    ]
    /// The number of runs by which `--accept` learns what differs from run to run. 4: two may draw the same small number.
    private static let acceptedRuns = 4
    /// The seed of worlds without one that is given.
    private static let usualSeed: UInt64 = 1

    private let cassette: Cassette
    /// The cassette's path as it was given, for reports: a code host knows paths within the project only.
    private let path: String
    private let options: ParsedOptions

    init(_ operands: ArraySlice<String>, _ options: ParsedOptions) throws {
        guard let path = operands.first, operands.count == 1 else {
            throw UsageError("replay needs one cassette, the directory that a recording made")
        }
        self.path = path
        cassette = try Cassette(at: URL(filePath: path).standardizedFileURL.path(percentEncoded: false))
        self.options = options
    }

    /// - Returns: True if something has changed or is broken.
    func run(_ conductor: () throws -> Conductor) throws -> Bool {
        if let other = options["compare"] {
            if let option = Self.ofBuilds.first(where: options.has) {
                throw UsageError("--\(option) is for a build; --compare compares two recordings")
            }
            return try compare(with: Cassette(at: other))
        }
        let build = try TestedBuild(options)
        guard !options.has("real-time") || !options.has("seed") else {
            throw UsageError("--seed has no effect in real time; leave out --seed or --real-time")
        }
        let time: ReplayTime = options.has("real-time") ? .real : .virtual(try conductor())
        // The programs of real time would go on without this one.
        if case .real = time { ScratchDirectory.removeAllOnSignals() }
        let seed = try options.number("seed", Self.usualSeed, within: 0...UInt64.max - 1)
        if options.has("accept") { return try accept(build, seed: seed, time) }
        let start = ContinuousClock.now
        let trial = try BuildTrial(
            build, against: cassette, expecting: try ExpectedChange.all(inside: cassette.path, or: options["expect"]),
            keeping: try contract(build.side), seed: seed, in: time)
        let report = ReplayReport(
            cassette: path, side: build.side, subject: build.program, judgement: trial.judgement,
            comparison: trial.comparison, isAccepted: trial.isAccepted, keepsContract: trial.keepsContract,
            seed: options.has("real-time") ? nil : trial.seed, otherSeed: trial.seed == seed ? nil : trial.seed,
            tried: trial.tried,
            notes: (options.has("verbose") ? trial.replayed.notes : []) + trial.hints,
            seconds: (ContinuousClock.now - start) / .seconds(1),
            watches: (trial.reference.watchName, { trial.replayed.tape?.watchName(at: $0) }))
        if options.has("verbose"), let course = trial.replayed.tape {
            let deviations = trial.comparison?.deviations ?? []
            try StandardOutput.print(CourseTable(trial.reference, course, deviations).text + "\n")
        }
        try report.write(options)
        if let path = options["timeline"] {
            let parts =
                trial.replayed.tape.map { replayed in
                    ReplayTimeline(trial.comparison?.deviations ?? []).parts(
                        trial.reference, replayed, titles: (trial.isAccepted ? "Accepted" : "Recorded", "Replayed"))
                } ?? []
            try ReportFile.write(ComparisonPage.html(report.title, findings: report.lines, parts), to: path)
        }
        return report.judgement.verdict > .equivalent
    }

    private func contract(_ side: String) throws -> Contract? {
        guard let path = options["contract"] else { return nil }
        let contract: Contract
        do {
            contract = try Contract(data: Data(contentsOf: URL(filePath: path)))
        } catch {
            throw UsageError(
                "--contract \(path): it is not a contract of “watchlink contract”: \(error.localizedDescription)")
        }
        guard contract.side == side else {
            throw UsageError("--contract \(path): it is the \(contract.side)'s, not the \(side)'s")
        }
        return contract
    }

    // MARK: - Accepting

    private func accept(_ build: TestedBuild, seed: UInt64, _ time: ReplayTime) throws -> Bool {
        let tape = try BuildTrial.tape(of: cassette, for: build)
        let former = try FormerStarts(before: cassette)
        let runs = try (0..<Self.acceptedRuns).map { number in
            let run = try former.replay(build, tape, seed: seed &+ UInt64(number), in: time.later(by: number))
            if let failure = run.failure ?? run.hang { throw ReplayError.failed(failure, run.lastWords) }
            guard let course = run.tape, let recording = run.cassette else {
                throw ReplayError.notRecorded(program: build.program, lines: run.lastWords)
            }
            return (course, recording, run.findings)
        }
        let variables = Variables(runs.dropFirst().map { TapeComparison(runs[0].0, $0.0) })
        let found = TapeComparison(tape, runs[0].0, until: tape.end, others: runs.dropFirst().map(\.0))
        let report = try report(on: found, of: build.side, build.program, (tape, runs[0].0))
        // From now on all of this is as it should be.
        if !report.judgement.findings.isEmpty { try report.write(options) }
        let findings = ComplaintWord.first(of: runs.flatMap { $0.2.map(\.word) })
        let accepted = try AcceptedCourse.write(
            runs[0].1, variables, findings: findings, of: cassette, side: build.side)
        for word in findings {
            try StandardOutput.print("the build wrote “\(word.line)”, which is no difference from now on")
        }
        let answers = [tape, runs[0].0].map { $0.events.count { $0.kind == "replyHandler" } }
        // What the app does after an answer is then in no replay.
        let lack = answers[1] < answers[0] ? ", and \(answers[1]) of \(answers[0]) answers were given" : ""
        try StandardOutput.print(
            "\(accepted): \(found.matched) of \(found.recorded) deeds of the recording were done\(lack); later builds must do what this one did"
        )
        for hint in BuildTrial.hint(on: found) { try StandardOutput.print(hint) }
        return false
    }

    // MARK: - Comparing

    /// Returns the report on two courses that are there already.
    private func report(
        on comparison: TapeComparison, of side: String, _ subject: String, _ tapes: (AppTape, AppTape)
    ) throws -> ReplayReport {
        ReplayReport(
            cassette: path, side: side, subject: subject,
            judgement: Judgement(
                comparison.deviations, expecting: try ExpectedChange.all(inside: cassette.path, or: options["expect"]),
                at: Date()),
            comparison: comparison, isAccepted: false, keepsContract: false, seed: nil, otherSeed: nil, tried: 0,
            notes: [], seconds: 0,
            watches: (tapes.0.watchName, tapes.1.watchName))
    }

    private func compare(with other: Cassette) throws -> Bool {
        let sides = cassette.manifest.sides.filter(other.manifest.sides.contains)
        guard !sides.isEmpty else {
            throw ReplayError.noSide(
                path: other.path, side: cassette.manifest.sides.joined(separator: " or "), sides: other.manifest.sides)
        }
        var isFound = false
        var (parts, lines): ([ComparisonPage.Part], [String]) = ([], [])
        for side in sides {
            guard let first = AppTape(cassette, side: side), let second = AppTape(other, side: side) else { continue }
            let comparison = TapeComparison(first, second)
            let report = try report(on: comparison, of: side, other.path, (first, second))
            if options.has("verbose") {
                try StandardOutput.print(CourseTable(first, second, comparison.deviations).text + "\n")
            }
            try report.write(options)
            isFound = isFound || report.judgement.verdict > .equivalent
            lines += report.lines
            parts += ReplayTimeline(comparison.deviations).parts(
                first, second, titles: ("\(side), \(cassette.path)", "\(side), \(other.path)"))
        }
        if let path = options["timeline"] {
            let title = "\(cassette.path) and \(other.path)"
            try ReportFile.write(ComparisonPage.html(title, findings: lines, parts), to: path)
        }
        return isFound
    }
}
