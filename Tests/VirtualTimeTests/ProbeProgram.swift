import Foundation

/// The program whose constructs run in worlds, and its output.
enum ProbeProgram {
    struct Output {
        var text: String
        var status: Int32
    }

    /// The executable, which the package manager builds beside the test bundle.
    private static let folder = Bundle.main.executableURL?.deletingLastPathComponent()
    static let url = folder?.appending(path: "ProbeProgram")
    static let preload = folder?.appending(path: "libvirtualtimepreload.so")

    /// Runs a program until it ends, with standard output and error combined.
    static func run(_ program: URL?, _ arguments: [String], _ environment: [String: String] = [:]) throws -> Output {
        let process = Process()
        let pipe = Pipe()
        process.executableURL = program
        process.arguments = arguments
        process.environment = ["PATH": "/usr/bin:/bin"].merging(environment) { $1 }
        process.standardOutput = pipe
        process.standardError = pipe
        try process.run()
        let text = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        return Output(text: text, status: process.terminationStatus)
    }
}
