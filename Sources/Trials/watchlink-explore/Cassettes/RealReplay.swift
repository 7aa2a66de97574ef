import CassetteReplay
import Dispatch
import Foundation
import Processes
import ServiceRuntime
import Trials
import VirtualTime

/// A replay in real time: it takes as long as the recording did, and ends when everything has been played.
struct RealReplay {
    /// The time to wait for what is missing. 35 s: longer than any time-out of which an app is told.
    private static let rest: Duration = .seconds(35)
    /// The time between two looks at the clock, for the progress. 500 ms: a waiting user sees that it goes on.
    private static let step = DispatchTimeInterval.milliseconds(500)
    /// The time a program may take to end when requested. 30 s: reached only by broken programs.
    private static let endLimit = DispatchTimeInterval.seconds(30)

    private let cast: ReplayCast
    private let length: Duration

    init(_ cast: ReplayCast, _ tape: AppTape) { (self.cast, length) = (cast, .microseconds(tape.duration)) }

    func perform() throws -> PlayedCast {
        let changed = DispatchSemaphore(value: 0)
        let app = try Self.start(cast.app, cast.app.arguments) { changed.signal() }
        let counterparts = try cast.counterparts.map { program in
            try Self.start(program, program.arguments + ["--\(CounterpartWords.leave)"]) { changed.signal() }
        }
        let progress = ProgressLine("seconds replayed", of: Int(length / .seconds(1)))
        defer { progress.finish() }
        let start = ContinuousClock.now
        while case let passed = ContinuousClock.now - start, passed < length + Self.rest,
            !counterparts.allSatisfy(\.hasEnded), app.failure() == nil
        {
            progress.update(min(Int(passed / .seconds(1)), Int(length / .seconds(1))))
            _ = changed.wait(timeout: .now() + Self.step)
        }
        let failure = app.failure()
        let exit = app.hasEnded && failure == nil ? "exited with code 0" : nil
        let early = counterparts.lazy.compactMap { $0.failure() }.first
        // A program need not handle the request.
        for process in [app] + counterparts where process.stop(within: Self.endLimit) == nil { process.kill() }
        return PlayedCast(
            app: .init(
                failure: failure, exit: exit, complaints: app.lines.compactMap { ComplaintWord($0) }, lines: app.lines),
            counterpart: .init(failure: early, lines: counterparts.flatMap(\.lines))
        )
    }

    private static func start(
        _ program: Program, _ arguments: [String], _ onEnd: @escaping @Sendable () -> Void
    ) throws -> BackgroundProcess {
        try BackgroundProcess(
            program.name, executable: URL(filePath: program.executable), arguments: arguments,
            environment: ProcessInfo.processInfo.environment.merging(program.environment) { $1 },
            directory: program.environment["HOME"].map { URL(filePath: $0) }, onEnd: onEnd)
    }
}
