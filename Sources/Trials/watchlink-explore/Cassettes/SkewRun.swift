import CassetteReplay
import Cassettes
import DeviceWorlds
import LinkProtocol
import Processes
import VirtualTime

/// One pair of builds, live in virtual time: the courses of both apps.
struct SkewRun {
    let phone: AppTape
    let watch: AppTape
    /// The programs that failed.
    let failures: [Deviation]

    init(_ phone: TestedBuild, _ watch: TestedBuild, length: Duration, seed: UInt64, _ conductor: Conductor) throws {
        let folder = try ScratchDirectory(in: conductor.directory)
        defer { folder.remove() }
        let builds = [phone, watch]
        let script = try Script(
            builds.map { .init(at: .zero, .start(Self.program($0, folder.recordings))) }, end: length)
        let performance = try conductor.forReplays(in: folder).perform(script, JointCourse(seed: seed))
        failures = performance.processes.compactMap { process in
            guard case .ended(let ending) = process.fate, ending.isFailure else { return nil }
            let words = process.lastWords.map { ": \($0)" } ?? ""
            return Deviation(recorded: nil, replayed: nil, event: process.name, .ending("\(ending)\(words)"))
        }
        (self.phone, self.watch) = (
            try Self.tape(phone, folder.recordings, performance), try Self.tape(watch, folder.recordings, performance)
        )
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
