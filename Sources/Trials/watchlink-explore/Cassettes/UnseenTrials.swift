import CassetteReplay
import Cassettes
import Foundation
import Processes
import VirtualTime

/// Builds that get values which they do not know: each enumeration once, in one delivery of a cassette.
struct UnseenTrials {
    /// The seed of all worlds: the value differs, and nothing else.
    private static let seed: UInt64 = 1
    /// The most trials of a build. 200: with 0.3 s for each it is a minute; apps have fewer enumerations.
    private static let mostTrials = 200

    private let cassettes: [(title: String, cassette: Cassette)]
    private let enumerations: [Enumeration]
    private var triedPaths: Set<String> = []
    private(set) var findings: [LintFinding] = []
    private(set) var notes: [String] = []
    /// The number of trials.
    private(set) var tried = 0

    init(_ cassettes: [(title: String, cassette: Cassette)], _ enumerations: [Enumeration]) {
        (self.cassettes, self.enumerations) = (cassettes, enumerations)
    }

    /// The enumerations that no build got an unknown value of.
    var untested: [Enumeration] { enumerations.filter { !triedPaths.contains(Self.name($0)) } }

    private static func name(_ enumeration: Enumeration) -> String { "\(enumeration.kind) \(enumeration.path)" }

    private static func name(_ build: TestedBuild) -> String { "the \(build.side)'s build" }

    /// Tries a build with each enumeration that its counterpart sends.
    mutating func run(_ build: TestedBuild, _ conductor: Conductor) throws {
        var left = enumerations.filter { $0.kind.sender != build.side }
        let own = cassettes.filter { $0.cassette.manifest.sides.contains(build.side) }
        if own.isEmpty {
            notes.append("no cassette is of the \(build.side)'s app, so \(Self.name(build)) was not tried")
        }
        var room = Self.mostTrials
        for (title, cassette) in own where !left.isEmpty {
            let tape: AppTape
            do throws(ReplayError) {
                tape = try BuildTrial.tape(of: cassette, for: build)
            } catch {
                notes.append("\(error)")
                continue
            }
            let trials = left.compactMap { UnseenTrial($0, tape, in: title) }
            guard !trials.isEmpty, room > 0 else { continue }
            let folder = try ScratchDirectory(in: conductor.directory)
            defer { folder.remove() }
            guard let (build, time) = try start(of: build, with: cassette, title, conductor, in: folder) else {
                continue
            }
            let usual = try ReplayedApp.run(build, against: cassette, tape, seed: Self.seed, in: time)
            let done = trials.map(\.enumeration)
            if let failure = usual.failure {
                findings.append(
                    MadeUpTrial.finding(
                        Self.name(build), failure: Self.text(failure, usual), done, tape, in: title, course: usual.tape)
                )
                continue
            }
            guard let course = usual.tape else {
                throw ReplayError.notRecorded(program: build.program, lines: usual.lastWords)
            }
            for trial in trials.prefix(room) {
                let run = try ReplayedApp.run(
                    build, against: cassette, tape, changing: trial.change, seed: Self.seed, in: time)
                findings += [
                    trial.finding(
                        Self.name(build), usual: course, course: run.tape,
                        failure: run.failure.map { Self.text($0, run) } ?? run.hang.map(ReplayedApp.heading))
                ].compactMap(\.self)
                triedPaths.insert(Self.name(trial.enumeration))
                tried += 1
            }
            room -= min(room, trials.count)
            left.removeAll { done.contains($0) }
        }
        guard room == 0, !left.isEmpty else { return }
        notes.append(
            "the \(build.side)'s build was tried with \(Self.mostTrials) enumerations; \(left.count) were left out")
    }

    /// Returns a build with what its earlier starts have left, and the time of its start; nil, with a note, if these cannot be
    /// played.
    private mutating func start(
        of build: TestedBuild, with cassette: Cassette, _ title: String, _ conductor: Conductor,
        in folder: ScratchDirectory
    ) throws -> (TestedBuild, ReplayTime)? {
        let former = try FormerStarts(before: cassette)
        if former.areMissing {
            notes.append(
                "\(title) is of a program that was started again: \(Self.name(build)) was tried without what its earlier starts had left, as their cassettes (\(build.side)-1 …) are not beside it"
            )
        }
        do {
            return try former.continued(by: build, seed: Self.seed, .virtual(conductor), in: folder)
        } catch let error as ReplayError {
            notes.append("\(title) was not tried, as an earlier start cannot be played: \(error)")
            return nil
        }
    }

    /// Returns the first line of a failure with what the program told of it, unless a stack follows.
    private static func text(_ failure: String, _ run: ReplayedApp) -> String {
        let words = failure.contains("\n") ? nil : run.lastWords.last
        return ReplayedApp.heading(of: failure) + (words.map { " (\($0.trimmingCharacters(in: .whitespaces)))" } ?? "")
    }
}
