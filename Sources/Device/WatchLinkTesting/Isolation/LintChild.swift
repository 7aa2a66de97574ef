import Configuration
import DeviceShell
import Foundation
import Homes
import LinkProtocol
import Processes
import WatchConnectivity

/// One run of a program under lint, in a process and a directory of its own.
struct LintChild: Sendable {
    let program: URL
    let arguments: [String]
    let role: DeviceRole
    let kind: LintRun.Kind
    let feed: [String]

    /// The time for the start of the program beyond a run's own. 20 s: a loaded machine starts a large program slowly.
    private static let startTime: TimeInterval = 20
    private static let limit = LintRun.longest + LintRun.patience + startTime
    /// Every attempt to send something fails with an error that the system gives.
    private static let failures = ["message", "user-info", "file"]
        .map { "fail \($0) with=transferTimedOut" }.joined(separator: "; ")

    /// The outcome of a run.
    struct Outcome: Sendable {
        var transcript: LintTranscript
        var ending: ProcessEnding?
        /// The last lines of the program's own output.
        var lastLines: [String]
    }

    /// The number of last lines kept for a report. 5: the reason is usually among them.
    private static let keptLines = 5

    func run(skipping skipped: [String] = []) throws -> Outcome {
        let directory = try ScratchDirectory()
        let counterpart = kind == .called ? nil : try counterpart(in: directory.url)
        let process = try BackgroundProcess(
            program.lastPathComponent, executable: program, arguments: arguments,
            environment: try environment(directory.url, skipped), mergesOutput: true)
        let signal = kind == .called ? LintReport.Event.activated : .linked
        if !feed.isEmpty,
            process.waitForLines(
                containing: "\"event\":\"\(signal.rawValue)\"", within: .milliseconds(Int(Self.limit * 1_000)))
        {
            for line in feed {
                do {
                    try process.write(line + "\n")
                } catch {
                    // The program has ended, which its transcript explains.
                    break
                }
            }
        }
        if !process.waitForEnd(within: .milliseconds(Int(Self.limit * 1_000))) { process.kill() }
        // The last lines may still be in the pipe.
        _ = process.wait(within: .seconds(2))
        if let counterpart { stop(counterpart) }
        let lines = process.lines
        return Outcome(
            transcript: LintTranscript(lines: lines), ending: ProcessEnding(of: process),
            lastLines: lines.filter { LintReport(line: $0) == nil }.suffix(Self.keptLines))
    }

    private func counterpart(in directory: URL) throws -> (SimulatedDevice, LintCounterpart) {
        let device = try SimulatedDevice(
            role.counterpart, name: "counterpart", in: directory, signal: ChangeSignal(), .real
        ) { _ in }
        // The session holds its delegate weakly.
        let delegate = LintCounterpart()
        device.start(delegate: delegate)
        return (device, delegate)
    }

    private func stop(_ counterpart: (device: SimulatedDevice, delegate: LintCounterpart)) {
        let isStopped = DispatchSemaphore(value: 0)
        counterpart.device.session.shutDown("the run is over") { isStopped.signal() }
        isStopped.wait()
    }

    private func environment(_ directory: URL, _ skipped: [String]) throws -> [String: String] {
        let place = ProgramPlace(role == .host ? "phone" : "watch", role, in: directory.plainPath)
        try place.home.create()
        let own = [
            LintRun.variable: kind.rawValue,
            LintRun.skippedVariable: skipped.joined(separator: ";"),
            "WATCHLINK_FAULTS": kind == .failing ? Self.failures : "",
            "WATCHLINK_LOG_LEVEL": "error",
            // A picture of each crash takes seconds, and the stacks are reported anyway.
            "SWIFT_BACKTRACE": "enable=no",
        ].merging(place.variables) { own, _ in own }
        var environment = ProcessInfo.processInfo.environment.merging(own) { $1 }
        for name in ["WATCHLINK_CONFIGURATION", "WATCHLINK_HAZARDS"] {
            environment[name] = nil
        }
        return environment
    }
}
