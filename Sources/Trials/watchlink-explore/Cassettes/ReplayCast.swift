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

/// The programs of a replay: the build, and the counterparts that play the cassette – several for a phone with several
/// watches –, each with a device of its own in the replay's directory.
struct ReplayCast {
    let app: Program
    let counterparts: [Program]

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
        try build.copyState(to: build.isService ? place.state.path : place.home.path)
        try place.home.create()
        let kept = cassette.manifest.kept + [RedactionRules.everything]
        app =
            build.isService
            ? try Self.service(build, place, keeping: kept, serving: cassette.manifest.serving, in: folder)
            : Program(
                name: place.name, executable: build.program, arguments: build.arguments,
                environment: place.variables.merging([
                    "WATCHLINK_RECORD": folder.recordings, "WATCHLINK_RECORD_KEEP": kept.joined(separator: " "),
                ]) { $1 })
        let control =
            build.isService
            ? StateDirectory(option: place.state.path).controlSocket(of: role.rawValue) : place.state.controlSocket
        let words =
            ["--cassette=\(cassette.path)", "--side=\(tape.side)", "--control=\(control)"]
            + (change.map(Self.words) ?? []) + (build.file.map { ["--file=\($0)"] } ?? [])
        // A phone to which none connected has one, too.
        let watches = tape.watches.numbers.isEmpty ? [nil] : tape.watches.numbers.map { $0 as Int? }
        counterparts = try watches.map { watch in
            let name = watch.map(tape.watches.name) ?? AppTape.counterpart(of: tape.side)
            let other = ProgramPlace(name, role.counterpart, in: folder.path)
            try other.home.create()
            return Program(
                name: name, executable: try TestedBuild.player(),
                arguments: words + (watch.map { ["--watch=\($0)"] } ?? []),
                environment: other.variables.merging(
                    watch.map {
                        ["WATCHLINK_DEVICE_ID": PlayedWatch.identifier(at: tape.watches.place(of: $0)).uuidString]
                    } ?? [:]
                ) { $1 })
        }
    }

    private static func words(_ change: PlayChange) -> [String] {
        ["--event=\(change.event)", "--key-path=\(change.path)", "--leaf=\(change.leaf)"]
    }

    /// Returns the program of a service, which takes its device from a configuration.
    private static func service(
        _ build: TestedBuild, _ place: ProgramPlace, keeping kept: [String], serving: String?,
        in folder: ScratchDirectory
    ) throws -> Program {
        let file = "\(folder.path)/\(place.name).json5"
        var configuration: [String: JSONValue] = [
            "link": ["socket": .string(place.linkSocket)],
            "record": ["into": .string(folder.recordings), "keep": .array(kept.map { .string($0) })],
        ]
        // As the recorded one did; without it, a service serves all its watches.
        if let serving, place.role == .host { configuration["companions"] = ["serving": .string(serving)] }
        try Data(JSONValue.object(configuration).text(pretty: true).utf8).write(to: URL(filePath: file))
        return Program(
            name: place.name, executable: build.program,
            arguments: build.arguments + ["--state-directory", place.state.path, "--config", file],
            environment: place.home.variables)
    }
}
