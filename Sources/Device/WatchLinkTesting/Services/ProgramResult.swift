public import Foundation
import Processes

/// The end of a program that ran on its own: its exit code and its output.
public struct ProgramResult: Equatable, Sendable {
    /// The exit code or signal.
    public let ending: ProcessEnding
    /// The bytes of its standard output.
    public let output: Data
    /// The text of its standard error.
    public let errors: String

    /// The text of its standard output.
    public var text: String { String(decoding: output, as: UTF8.self) }

    /// Runs a program to its end.
    static func run(
        _ program: URL, _ arguments: [String], environment: [String: String], input: Data
    ) async throws -> ProgramResult {
        // Files, not pipes: a program that fills one pipe while another is read would never end.
        let directory = try ScratchDirectory()
        func file(_ name: String, _ content: Data = Data()) throws -> FileHandle {
            let url = directory.url.appending(path: name)
            try content.write(to: url)
            return try FileHandle(forUpdating: url)
        }
        let (output, errors) = (try file("output"), try file("errors"))
        let process = Process()
        process.executableURL = program
        process.arguments = arguments
        process.environment = environment
        process.standardInput = try file("input", input)
        process.standardOutput = output
        process.standardError = errors
        let ending: ProcessEnding = try await withCheckedThrowingContinuation { continuation in
            process.terminationHandler = { ended in
                continuation.resume(
                    returning: ended.terminationReason == .exit
                        ? .exit(ended.terminationStatus) : .signal(ended.terminationStatus))
            }
            do {
                try process.run()
            } catch {
                continuation.resume(throwing: error)
            }
        }
        return ProgramResult(
            ending: ending, output: try content(output), errors: String(decoding: try content(errors), as: UTF8.self))
    }

    private static func content(_ file: FileHandle) throws -> Data {
        try file.seek(toOffset: 0)
        return try file.readToEnd() ?? Data()
    }
}
