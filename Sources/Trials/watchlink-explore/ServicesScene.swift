import ExploreWords
import Foundation
import ServiceRuntime
import Trials
import VirtualTime

/// The real services, and a torture program that uses them, has them killed, and checks their data.
struct ServicesScene {
    private static let director = "torture"
    private static let services = ["host", "companion"]
    /// The most time after the torture's own hours, in which it waits for everything that was promised.
    private static let rest: Duration = .seconds(3_600)

    private let cast: [Program]
    private let torture: Program
    private let length: Duration

    init(_ options: ParsedOptions) throws(UsageError) {
        let subject = try TrialSubject(options)
        let world = Program.directoryMark
        var cast: [Program] = []
        for name in Self.services {
            cast.append(
                Program(
                    name: name, executable: try Self.path(subject.programs.program(of: name)),
                    arguments: ["--state-directory", "\(world)/state", "--config", "\(world)/\(name).json5"]))
        }
        self.cast = cast
        let extent = try TortureExtent(options)
        torture = Program(
            name: Self.director,
            executable: try Self.path(TrialServices.ownPrograms.appending(path: ExploreForm.torture)),
            arguments: ["--directed", world] + subject.words + extent.words)
        length = .seconds(Int64(extent.hours * 3_600)) + Self.rest
    }

    private static func path(_ program: URL) throws(UsageError) -> String {
        let path = program.path(percentEncoded: false)
        guard FileManager.default.isExecutableFile(atPath: path) else {
            throw UsageError("\(path) is no program: build all products, install them, or correct its name")
        }
        return path
    }

    func script(seed: UInt64) throws(ScriptError) -> Script {
        let torture = Program(
            name: torture.name, executable: torture.executable, arguments: torture.arguments + ["--seed", "\(seed)"],
            environment: torture.environment)
        return try Script(
            [.init(at: .zero, .start(torture))], end: length, direction: Direction(director: torture.name, cast: cast))
    }
}
