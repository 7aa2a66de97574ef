import Foundation

/// A program that lies beside this one, run to its end.
struct Tool {
    struct Failure: Error, CustomStringConvertible {
        let words: [String]
        let code: Int32
        let errors: String

        var description: String { "“\(words.joined(separator: " "))” ended with code \(code): \(errors)" }
    }

    let path: String

    init(_ name: String) {
        path = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
            .appending(path: name).path(percentEncoded: false)
    }

    /// - Parameter codes: The exit codes with which it did what it was asked.
    /// - Returns: What it wrote to its standard output.
    func run(_ arguments: [String], codes: Set<Int32> = [0]) throws -> Data {
        let process = Process()
        process.executableURL = URL(filePath: path)
        process.arguments = arguments
        let output = Pipe()
        let errors = Pipe()
        (process.standardOutput, process.standardError) = (output, errors)
        try process.run()
        // It writes little to its standard error: a pipe takes that while the output is read.
        let text = try output.fileHandleForReading.readToEnd() ?? Data()
        let complaints = try errors.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        guard process.terminationReason == .exit, codes.contains(process.terminationStatus) else {
            throw Failure(
                words: [path] + arguments, code: process.terminationStatus,
                errors: String(decoding: complaints, as: UTF8.self))
        }
        return text
    }
}
