import CassetteReplay
import Cassettes
import DeviceWorlds
import Foundation
import LinkProtocol
import Processes
import VirtualTime

/// One pair of builds, live in virtual time: the courses of both apps.
struct SkewRun {
    let phone: AppTape
    let watch: AppTape
    /// The programs that failed, and what they said themselves was wrong.
    let failures: [SkewFinding]
    /// The virtual time at which it was ended, as the programs had taken too many turns; nil if it went on to its end.
    let ended: Duration?

    /// The most turns of both programs in an hour. 20,000: most apps take about a thousand, and those that flood the link take
    /// these in ten seconds of real time.
    static let mostTurnsInAnHour = 20_000

    init(_ phone: TestedBuild, _ watch: TestedBuild, length: Duration, seed: UInt64, _ conductor: Conductor) throws {
        let folder = try ScratchDirectory(in: conductor.directory)
        defer { folder.remove() }
        let builds = [phone, watch]
        let script = try Script(
            builds.map { .init(at: .zero, .start(Self.program($0, folder.recordings))) }, end: length)
        var conductor = conductor.forReplays(in: folder)
        conductor.notesComplaints = true
        conductor.mostTurns = Self.mostTurnsInAnHour * max(1, Int((length / .seconds(3_600)).rounded(.up)))
        let performance = try conductor.perform(script, JointCourse(seed: seed))
        ended = performance.rounds >= conductor.mostTurns ? performance.virtualTime : nil
        let places = StackPlaces(script)
        failures = performance.processes.flatMap { process in
            [Self.failure(process, places)].compactMap(\.self) + Self.findings(of: process)
        }
        (self.phone, self.watch) = (
            try Self.tape(phone, folder.recordings, performance), try Self.tape(watch, folder.recordings, performance)
        )
    }

    private static func failure(_ process: ProcessOutcome, _ places: StackPlaces) -> SkewFinding? {
        func finding(_ text: String, at time: Duration?) -> SkewFinding {
            let text = places.completed(text).replacing("\n", with: "\n    ")
            let deviation = Deviation(recorded: nil, replayed: nil, event: process.name, .ending(text))
            return SkewFinding(deviation, side: process.name, at: time)
        }
        if case .ended(let ending) = process.fate, ending.isFailure {
            return finding("\(ending)" + (process.lastWords.map { ": \($0)" } ?? ""), at: process.span.upperBound)
        }
        let lines = String(decoding: process.errors, as: UTF8.self).split(separator: "\n").map(String.init)
        return CallWatch.finding(in: lines).map { finding("stopped: dead-lock: \($0)", at: nil) }
    }

    /// Returns what a program said was wrong, each cause once.
    private static func findings(of process: ProcessOutcome) -> [SkewFinding] {
        ComplaintWord.first(of: process.ownComplaints).prefix(ReplayedApp.mostFindings).map { word in
            SkewFinding(
                Deviation(
                    recorded: nil, replayed: nil, event: process.name, .finding(word.line, cause: word.cause)),
                side: process.name, at: word.time)
        }
    }

    /// Returns where the courses of both apps depart from those of another run.
    ///
    /// - Parameter sides: The run to compare the phone's app with, and that for the watch's.
    func partings(from others: (phone: SkewRun, watch: SkewRun)) -> [SkewFinding] {
        partings(from: others.phone, \.phone) + partings(from: others.watch, \.watch)
    }

    private func partings(from other: SkewRun, _ side: KeyPath<SkewRun, AppTape>) -> [SkewFinding] {
        let (old, new) = (other[keyPath: side], self[keyPath: side])
        // What one of them had no time for is not missing.
        let end = ended == nil && other.ended == nil ? Int64.max : min(old.duration, new.duration)
        // A program that has failed does nothing more.
        let hasFailed = failures.contains { $0.isFailure && $0.deviation.event == new.side }
        let deviations = TapeComparison(old, new, until: end).deviations.filter { !hasFailed || !$0.isMissing }
        let findings = deviations.map { deviation in
            let event = deviation.replayed.flatMap(new.event).map { $0.time + new.start }
            let time = event ?? deviation.recorded.flatMap(old.event).map { $0.time + old.start }
            return SkewFinding(deviation, side: new.side, at: .microseconds(time ?? 0))
        }
        // After a failure of the other pair nothing tells what would have followed.
        guard let failure = other.firstFailure else { return findings }
        return findings.filter { $0.time + SkewCell.moment < failure }
    }

    /// The time at which the first of its programs failed; nil for none, and if the time is not known.
    private var firstFailure: Duration? {
        failures.filter { $0.isFailure && $0.time < Script.longest }.map(\.time).min()
    }

    private static func program(_ build: TestedBuild, _ folder: String) -> Program {
        Program(
            name: build.side, executable: build.program, arguments: build.arguments,
            environment: build.role.variables(build.side).merging(["WATCHLINK_RECORD": folder]) { $1 })
    }

    private static func tape(_ build: TestedBuild, _ folder: String, _ performance: Performance) throws -> AppTape {
        let path = "\(folder)/\(build.side)-1"
        guard Cassette.exists(at: path), let tape = AppTape(try Cassette(at: path), side: build.side) else {
            let errors = performance.processes.first { $0.name == build.side }?.errors ?? []
            let lines = String(decoding: errors, as: UTF8.self).split(separator: "\n").map(String.init)
            throw ReplayError.notRecorded(program: build.program, lines: lines.suffix(ReplayedApp.mostLines))
        }
        return tape
    }
}
