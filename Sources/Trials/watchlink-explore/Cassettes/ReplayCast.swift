import CassetteReplay
import Cassettes
import Configuration
import DeviceShell
import Foundation
import Homes
import LinkProtocol
import Processes
import ServiceRuntime
import Trials
import VirtualTime

/// The two programs of a replay: the build, and the counterpart that plays the cassette, each with a device of its own in
/// the replay's directory.
struct ReplayCast {
    let app: Program
    let counterpart: Program

    /// - Parameters:
    ///   - cassette: The cassette whose counterpart is played.
    ///   - tape: The part of the cassette that the build plays anew.
    ///   - change: The value that is played in place of a recorded one.
    init(
        _ build: TestedBuild, against cassette: Cassette, _ tape: AppTape, changing change: PlayChange?,
        in folder: ScratchDirectory
    ) throws {
        let role = build.role
        let place = ProgramPlace(tape.side, role, in: folder.path)
        let other = ProgramPlace(AppTape.counterpart(of: tape.side), role.counterpart, in: folder.path)
        try build.copyState(to: build.isService ? place.state.path : place.home.path)
        for place in [place, other] { try place.home.create() }
        let kept = cassette.manifest.kept + [RedactionRules.everything]
        app =
            build.isService
            ? try Self.service(build, place, keeping: kept, in: folder)
            : Program(
                name: place.name, executable: build.program, arguments: build.arguments,
                environment: place.variables.merging([
                    "WATCHLINK_RECORD": folder.recordings, "WATCHLINK_RECORD_KEEP": kept.joined(separator: " "),
                ]) { $1 })
        let control =
            build.isService
            ? StateDirectory(option: place.state.path).controlSocket(of: role.rawValue) : place.state.controlSocket
        counterpart = Program(
            name: other.name, executable: try TestedBuild.player(),
            arguments: ["--cassette=\(cassette.path)", "--side=\(tape.side)", "--control=\(control)"]
                + (change.map(Self.words) ?? []),
            environment: other.variables)
    }

    private static func words(_ change: PlayChange) -> [String] {
        ["--event=\(change.event)", "--key-path=\(change.path)", "--leaf=\(change.leaf)"]
    }

    /// Returns the program of a service, which takes its device from a configuration.
    private static func service(
        _ build: TestedBuild, _ place: ProgramPlace, keeping kept: [String], in folder: ScratchDirectory
    ) throws -> Program {
        let file = "\(folder.path)/\(place.name).json5"
        let configuration: JSONValue = [
            "link": ["socket": .string(place.linkSocket)],
            "record": ["into": .string(folder.recordings), "keep": .array(kept.map { .string($0) })],
        ]
        try Data(configuration.text(pretty: true).utf8).write(to: URL(filePath: file))
        return Program(
            name: place.name, executable: build.program,
            arguments: build.arguments + ["--state-directory", place.state.path, "--config", file],
            environment: place.home.variables)
    }
}
