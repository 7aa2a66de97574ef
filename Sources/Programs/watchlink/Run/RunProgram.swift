import DeviceShell
import EventLog
import ExploreWords
import Files
import Foundation
import Glibc
import Processes

/// One device of “watchlink run”: its program, which may be restarted, and the log of all that it prints.
final class RunProgram {
    let place: ProgramPlace
    private let build: SceneDevice.Build
    private let environment: [String: String]
    private let log: LogFile
    private let tell: @Sendable (String) -> Void
    private let onEnd: @Sendable () -> Void
    private(set) var process: BackgroundProcess?
    /// The version of the executable that was started, and a later one that may still be being written.
    private var started: FileVersion?
    private var awaited: FileVersion?
    private var isEndTaken = true
    private var isAsked = false

    /// - Parameters:
    ///   - log: The path of its log.
    ///   - tell: Called with each line that it prints, in order.
    ///   - onEnd: Called when the program has ended.
    init(
        _ place: ProgramPlace, _ build: SceneDevice.Build, environment: [String: String], log: String,
        tell: @escaping @Sendable (String) -> Void, onEnd: @escaping @Sendable () -> Void
    ) throws {
        (self.place, self.build, self.environment, self.tell, self.onEnd) = (place, build, environment, tell, onEnd)
        self.log = try LogFile(path: log)
    }

    var name: String { place.name }
    var isRunning: Bool { process.map { !$0.hasEnded } ?? false }

    func start() throws {
        started = FileVersion(of: build.program)
        awaited = nil
        (isEndTaken, isAsked) = (false, false)
        process = try BackgroundProcess(
            name, executable: URL(filePath: build.program), arguments: build.arguments, environment: environment,
            mergesOutput: true, keepsLines: false,
            onLine: { [log, tell] line in
                log.write(line)
                tell(line)
            }, onEnd: onEnd)
    }

    /// Returns true once after the program has ended.
    func takeEnd() -> Bool {
        guard !isRunning, !isEndTaken else { return false }
        isEndTaken = true
        return true
    }

    /// Returns true if the executable was replaced, and is complete: it has not changed since the last call.
    func isRebuilt() -> Bool {
        guard let current = FileVersion(of: build.program), current != started else { return false }
        defer { awaited = current }
        return current == awaited && FileManager.default.isExecutableFile(atPath: build.program)
    }

    /// Asks the program to end, if it runs.
    func askToEnd() {
        guard isRunning, !isAsked else { return }
        isAsked = true
        process?.signal(SIGTERM)
    }

    /// Waits for the end, and kills a program that does not end in time.
    ///
    /// - Returns: The failure, if it did not end well.
    func awaitEnd(within limit: DispatchTimeInterval) -> String? {
        guard let process else { return nil }
        if process.wait(within: limit) == nil, !process.hasEnded {
            process.kill()
            return "it did not end when asked to, and was killed"
        }
        return process.failure(wasRequested: isAsked)
    }
}
