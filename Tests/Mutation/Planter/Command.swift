import Foundation
import Glibc

/// The result of a program that ended, or was killed.
struct Command {
    /// The exit code, 128 and the signal that ended it, or nil if the time ran out first.
    let code: Int32?
    let output: String

    var succeeded: Bool { code == 0 }

    /// The exit code of timeout(1) when it killed a program.
    private static let timedOut: Int32 = 137

    /// Runs a program and reads its output, which goes through a file: children that outlive it cannot hold that up. Foundation's `Process`
    /// would wait for them.
    ///
    /// - Parameters:
    ///   - seconds: The time after which the program and its children are killed.
    ///   - mark: A text that decides the result: the program is killed as soon as its output contains it.
    static func run(
        _ words: [String], in folder: URL, environment: [String: String] = [:], seconds: Double? = nil,
        until mark: String? = nil
    ) throws -> Command {
        let file = FileManager.default.temporaryDirectory.appending(path: "planter-\(UUID().uuidString)")
        defer { unlink(file.path) }
        // A crash is an outcome among others here, and its stack takes seconds to print.
        let variables = ProcessInfo.processInfo.environment.merging(["SWIFT_BACKTRACE": "enable=no"]) { $1 }
            .merging(environment) { $1 }.map { "\($0.key)=\($0.value)" }
        let limited = ["env", "-C", folder.path, "timeout", "--signal=KILL", String(seconds ?? 0)] + words
        let process = try spawn(limited, variables, output: file)
        let status = wait(for: process, killingAt: mark, in: file)
        // timeout(1) leads a group of its own: what the program left behind ends with it.
        kill(-process, SIGKILL)
        let signal = status & 0x7F
        let code = signal == 0 ? (status >> 8) & 0xFF : 128 + signal
        let output = String(decoding: try Data(contentsOf: file), as: UTF8.self)
        return Command(code: seconds != nil && code == timedOut ? nil : code, output: output)
    }

    private static func wait(for process: pid_t, killingAt mark: String?, in file: URL) -> Int32 {
        var status: Int32 = 0
        // Without a mark the call blocks; otherwise the output is inspected ten times a second.
        while waitpid(process, &status, mark == nil ? 0 : WNOHANG) != process {
            guard let mark else { continue }
            usleep(100_000)
            if let output = FileManager.default.contents(atPath: file.path), output.contains(mark.utf8) {
                kill(-process, SIGKILL)
            }
        }
        return status
    }

    private static func spawn(_ words: [String], _ variables: [String], output: URL) throws -> pid_t {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, output.path, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
        posix_spawn_file_actions_adddup2(&actions, STDOUT_FILENO, STDERR_FILENO)
        var arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
        var environment: [UnsafeMutablePointer<CChar>?] = variables.map { strdup($0) } + [nil]
        defer { for text in arguments + environment { free(text) } }
        var process: pid_t = 0
        let result = posix_spawnp(&process, words[0], &actions, nil, &arguments, &environment)
        guard result == 0 else {
            throw PlanterError(description: "cannot start \(words[0]): \(String(cString: strerror(result)))")
        }
        return process
    }
}
