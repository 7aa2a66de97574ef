import Foundation

/// A program that was run to its end, or to the end of its time.
struct Command {
    /// The exit code; nil if the time ran out first.
    let code: Int32?
    let output: String

    var succeeded: Bool { code == 0 }

    /// Runs a program and reads all of its output, which goes through a file: children that outlive it cannot hold it up.
    ///
    /// - Parameter seconds: the time after which the program and its children are killed.
    static func run(
        _ words: [String], in folder: URL, environment: [String: String] = [:], seconds: Double = .infinity,
        tee: Bool = false
    ) throws -> Command {
        let file = FileManager.default.temporaryDirectory.appending(path: "planter-\(UUID().uuidString)")
        FileManager.default.createFile(atPath: file.path, contents: nil)
        defer { unlink(file.path) }
        let process = Process()
        // A session of its own, so that the kill reaches the children; timeout(1) does both.
        let limit = seconds.isFinite ? ["timeout", "--signal=KILL", String(seconds)] : []
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = limit + words
        process.currentDirectoryURL = folder
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        let handle = try FileHandle(forWritingTo: file)
        process.standardOutput = handle
        process.standardError = handle
        process.standardInput = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        let output = String(decoding: try Data(contentsOf: file), as: UTF8.self)
        if tee { print(output) }
        // timeout(1) dies of the signal that it sends.
        let ran =
            process.terminationReason == .uncaughtSignal && process.terminationStatus == SIGKILL && seconds.isFinite
        let status = process.terminationStatus
        return Command(
            code: ran || (seconds.isFinite && status == 137)
                ? nil : (process.terminationReason == .exit ? status : 128 + status), output: output)
    }
}
