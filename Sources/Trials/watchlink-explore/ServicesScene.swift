import Foundation
import ServiceRuntime
import Trials
import VirtualTime

/// The real services, and a torture that works with them, has them killed, and judges what they keep.
struct ServicesScene {
    private static let director = "torture"
    private static let services = ["host", "companion"]
    /// How long the torture may take behind its own hours, in which it waits for all that was promised.
    private static let rest: Duration = .seconds(3_600)

    private let cast: [Program]
    private let torture: Program
    private let length: Duration

    init(_ options: ParsedOptions) throws(UsageError) {
        func program(_ name: String, _ arguments: [String]) throws(UsageError) -> Program {
            let path = TrialServices.ownPrograms.appending(path: "watchlink-\(name)").path(percentEncoded: false)
            guard FileManager.default.isExecutableFile(atPath: path) else {
                throw UsageError("there is no \(path): build all products, or install them")
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
