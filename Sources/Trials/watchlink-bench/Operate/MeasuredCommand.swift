import Foundation
import Glibc
import Trials

/// A run of `watchlink` as its own process, with what the kernel reports of it.
struct MeasuredCommand {
    /// The time from its start to its end.
    let seconds: Double
    /// The processor time, in the program and in the kernel.
    let processor: Double
    /// The peak resident memory.
    let peakBytes: Double

    /// The interval at which the process is looked at. 5 ms: far less than a run takes.
    private static let period: TimeInterval = 0.005

    /// Runs the command until it ends. Foundation's `Process` does not tell what a process has used.
    ///
    /// - Parameter output: The file that gets its standard output; without one, it is discarded.
    /// - Throws: ``BenchError`` if it fails.
    static func run(_ words: [String], output: String = "/dev/null") throws -> MeasuredCommand {
        let program = TrialServices.ownPrograms.appending(path: "watchlink").path(percentEncoded: false)
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, output, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
        var arguments: [UnsafeMutablePointer<CChar>?] = ([program] + words).map { strdup($0) } + [nil]
        defer { for argument in arguments { free(argument) } }
        var process: pid_t = 0
        let start = ContinuousClock.now
        let code = posix_spawn(&process, program, &actions, nil, &arguments, environ)
        guard code == 0 else {
            throw BenchError("cannot start \(program): \(String(cString: strerror(code))); build it first")
        }
        var (status, usage, peak) = (Int32(0), rusage(), 0.0)
        while wait4(process, &status, WNOHANG, &usage) == 0 {
            // The peak of the usage contains this process's own memory, from before the program replaced its image.
            // A process that has just ended has none.
            if let now = try? ProcessFigures.peakBytes(process) { peak = max(peak, now) }
            Thread.sleep(forTimeInterval: period)
        }
        let seconds = (ContinuousClock.now - start) / .seconds(1)
        guard status == 0 else { throw BenchError("the command failed: \(words.joined(separator: " "))") }
        return MeasuredCommand(
            seconds: seconds, processor: Self.seconds(usage.ru_utime) + Self.seconds(usage.ru_stime),
            peakBytes: peak)
    }

    private static func seconds(_ time: timeval) -> Double { Double(time.tv_sec) + Double(time.tv_usec) / 1e6 }
}
