import CassetteReplay
import Cassettes
import DeviceShell
import DeviceWorlds
import Foundation
import LinkProtocol
import ServiceRuntime
import Trials
import VirtualTime

/// One run of a build in virtual time, with the counterpart of a cassette.
struct ReplayedApp {
    /// The course of the app; nil if it recorded none.
    let tape: AppTape?
    /// The recording of it.
    let cassette: Cassette?
    /// The way in which the program failed; nil if it did not.
    let failure: String?
    /// The last lines of the program's standard error.
    let lastWords: [String]
    /// The counterpart's notes on what it could not do.
    let notes: [String]

    /// The time that a world lasts beyond its cassette: until the last time-out has passed.
    private static let rest: Duration = .seconds(300)
    /// The lines of a program that are shown when it fails. 5: an error with what led to it.
    static let mostLines = 5

    /// Runs a build.
    ///
    /// - Parameters:
    ///   - cassette: The cassette whose counterpart is played.
    ///   - tape: The part of the cassette that the build plays anew.
    ///   - seed: The seed of the world.
    static func run(
        _ build: TestedBuild, against cassette: Cassette, _ tape: AppTape, seed: UInt64, _ conductor: Conductor
    ) throws -> ReplayedApp {
        let folder = try ReplayDirectory(in: conductor.directory)
        defer { folder.remove() }
        var conductor = conductor
        // Replays of one seed do not wait for each other.
        conductor.directory = folder.path
        conductor.settings.epoch = WorldSettings.epochOfApps
        // The order of threads is explored elsewhere: here it is the same in each replay.
        conductor.settings.preemption = 0
        let script = try script(build, cassette, tape, folder.recordings)
        let performance = try conductor.perform(script, JointCourse(seed: seed))
        let app = performance.processes.first { $0.name == tape.side }
        let counterpart = performance.processes.first { $0.name == TestedBuild.counterpart(of: tape.side) }
        if let counterpart, case .ended(let ending) = counterpart.fate {
            throw ReplayError.counterpart("\(ending)", lines(counterpart).suffix(mostLines))
        }
        let recorded = try Cassette.all(at: folder.recordings).first.map { path throws(CassetteError) in
            try Cassette(at: path)
        }
        return ReplayedApp(
            tape: recorded.flatMap { AppTape($0, side: $0.manifest.sides.first ?? tape.side) }, cassette: recorded,
            failure: app.flatMap(failure), lastWords: app.map { lines($0).suffix(mostLines) } ?? [],
            notes: counterpart.map { lines($0).filter { $0.hasPrefix("counterpart: ") } } ?? [])
    }

    private static func script(
        _ build: TestedBuild, _ cassette: Cassette, _ tape: AppTape, _ folder: String
    ) throws -> Script {
        let role: DeviceRole = tape.side == "phone" ? .host : .companion
        let other = TestedBuild.counterpart(of: tape.side)
        let kept = cassette.manifest.kept + [RedactionRules.everything]
        let app = Program(
            name: tape.side, executable: build.program, arguments: build.arguments,
            environment: role.variables(tape.side).merging([
                "WATCHLINK_RECORD": folder, "WATCHLINK_RECORD_KEEP": kept.joined(separator: " "),
            ]) { $1 })
        let place = ProgramPlace(tape.side, role, in: Program.directoryMark)
        let player = Program(
            name: other, executable: try TestedBuild.player(),
            arguments: [
                "--cassette=\(cassette.path)", "--side=\(tape.side)", "--control=\(place.state.controlSocket)",
            ], environment: role.counterpart.variables(other))
        return try Script(
            [.init(at: .zero, .start(app)), .init(at: .zero, .start(player))],
            end: .microseconds(tape.duration) + rest)
    }

    private static func failure(_ process: ProcessOutcome) -> String? {
        guard case .ended(let ending) = process.fate, ending.isFailure else { return nil }
        return "\(ending)"
    }

    private static func lines(_ process: ProcessOutcome) -> [String] {
        String(decoding: process.errors, as: UTF8.self).split(separator: "\n").map(String.init)
    }
}
