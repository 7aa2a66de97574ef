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
        func program(_ name: String, _ arguments: [String]) throws(UsageError) -> Program {
            let path = TrialServices.ownPrograms.appending(path: "watchlink-\(name)").path(percentEncoded: false)
            guard FileManager.default.isExecutableFile(atPath: path) else {
                throw UsageError("\(path) does not exist: build all products, or install them")
            }
            return Program(name: name, executable: path, arguments: arguments)
        }
        let world = Program.directoryMark
        var cast: [Program] = []
        for name in Self.services {
            cast.append(
                try program(name, ["--state-directory", "\(world)/state", "--config", "\(world)/\(name).json5"]))
        }
        self.cast = cast
        let extent = try TortureExtent(options)
        torture = try program(Self.director, ["--directed", world] + extent.words)
        length = .seconds(Int64(extent.hours * 3_600)) + Self.rest
    }

    func script(seed: UInt64) throws(ScriptError) -> Script {
        let torture = Program(
            name: torture.name, executable: torture.executable, arguments: torture.arguments + ["--seed", "\(seed)"],
            environment: torture.environment)
        return try Script(
            [.init(at: .zero, .start(torture))], end: length, direction: Direction(director: torture.name, cast: cast))
    }
}
