import Foundation
import Processes
import Trials

/// A process of this program that takes part in a measurement.
final class PeerProcess {
    private let process = Process()
    private let output = Pipe()
    var identifier: Int32 { process.processIdentifier }

    /// Starts `watchlink-bench serve NAME`, and waits until it is ready.
    static func serve(_ name: String, _ options: PeerOptions) throws -> PeerProcess {
        let peer = try PeerProcess(["serve", name, options.argument])
        guard peer.output.fileHandleForReading.availableData.starts(with: Data("ready".utf8)) else {
            throw BenchError("the server “\(name)” did not start")
        }
        return peer
    }

    /// Runs `watchlink-bench drive NAME` until it ends.
    static func drive<Result: Decodable>(
        _ name: String, _ options: PeerOptions, as _: Result.Type = Outcome.self
    ) throws -> Result {
        let peer = try PeerProcess(["drive", name, options.argument])
        let data = try peer.output.fileHandleForReading.readToEnd() ?? Data()
        peer.process.waitUntilExit()
        guard peer.process.terminationStatus == 0 else { throw BenchError("the driver “\(name)” failed") }
        return try JSONDecoder().decode(Result.self, from: data)
    }

    private init(_ arguments: [String]) throws {
        process.executableURL = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
        process.arguments = arguments
        process.standardOutput = output
        process.standardInput = FileHandle.nullDevice
        process.environment = ProcessInfo.processInfo.environment.merging(ParentProcess.invitation) { $1 }
        try process.run()
    }

    func stop() {
        process.terminate()
        process.waitUntilExit()
    }

    deinit { if process.isRunning { process.terminate() } }
}
