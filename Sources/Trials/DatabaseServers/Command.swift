import Foundation
import Processes

/// A command of another program, run to its end.
package enum Command {
    /// The longest time for a command. A minute: initdb takes a second or two, a busy machine ten times as long.
    private static let limit = DispatchTimeInterval.seconds(60)

    /// Runs a command and returns its output.
    package static func run(_ words: [String], as user: ServerUser? = nil) throws -> String {
        let all = (user?.words ?? []) + words
        let process = try BackgroundProcess(
            words[0], executable: URL(filePath: all[0]), arguments: Array(all.dropFirst()),
            environment: ["PATH": "/usr/bin:/bin", "LC_ALL": "C", "PGTZ": "UTC"], directory: URL(filePath: "/"),
            mergesOutput: true)
        guard let code = process.wait(within: limit) else {
            process.kill()
            throw SetUpError(.failure, "\(words.joined(separator: " ")) did not end in a minute")
        }
        let output = process.lines.joined(separator: "\n")
        guard code == 0 else {
            throw SetUpError(.failure, "\(words.joined(separator: " ")) failed with code \(code): \(output)")
        }
        return output
    }
}
