import Configuration
import DeviceShell
import ExploreWords
import Foundation
import LinkProtocol
import Locking
import Processes
import ServiceRuntime

/// A run of programs as linked devices, until they end or a signal ends them.
final class DeviceRun {
    /// The time a program may take to end when it is asked to. 10 s: the bound of the services' own end.
    private static let endLimit: DispatchTimeInterval = .seconds(10)
    /// The interval at which executables are compared. 500 ms: shorter than a person notices after a build, and one
    /// system call.
    private static let period: DispatchTimeInterval = .milliseconds(500)
    /// The width of names; “watchlink” is the longest.
    private static let nameWidth = 9

    private let directory: RunDirectory
    private let restarts: Bool
    private let isQuiet: Bool
    private let mailbox = RunMailbox()
    private var programs: [RunProgram] = []

    /// - Parameters:
    ///   - level: The log level of the programs.
    ///   - restarts: True to restart a program whose executable was replaced.
    ///   - isQuiet: True to print all lines on standard error.
    init(
        _ devices: [SceneDevice], in directory: RunDirectory, level: String?, restarts: Bool, isQuiet: Bool
    ) throws {
        (self.directory, self.restarts, self.isQuiet) = (directory, restarts, isQuiet)
        programs = try devices.enumerated().map { index, device in
            let place = directory.place(device.name, device.role)
            let prefix = Self.prefix(device.name, index)
            return try RunProgram(
                place, device.build, environment: Self.environment(place, number: index, level),
                log: directory.state.log(of: device.name),
                tell: { DemoOutput.log(prefix + $0, asJSON: isQuiet) },
                onEnd: { [mailbox] in mailbox.post(.ended(device.name)) })
        }
    }

    private static func prefix(_ name: String, _ index: Int) -> String {
        LinePrefix.text(name, width: nameWidth, index == 0 ? .blue : index == 1 ? .green : .yellow)
    }

    /// Returns a program's environment: this program's, without what describes another device.
    private static func environment(_ place: ProgramPlace, number: Int, _ level: String?) -> [String: String] {
        var environment = ProcessInfo.processInfo.environment
        for name in ["WATCHLINK_CONFIGURATION", "WATCHLINK_DEVICE_ID", "WATCHLINK_DEVICE_NAME"] {
            environment[name] = nil
        }
        environment.merge(place.variables) { $1 }
        if number > 1 { environment["WATCHLINK_DEVICE_NAME"] = "Watch \(number)" }
        environment["WATCHLINK_LOG_LEVEL"] = level ?? environment["WATCHLINK_LOG_LEVEL"] ?? "info"
        return environment
    }

    // MARK: - The run

    /// Starts all programs, and waits.
    ///
    /// - Returns: The failures, by device; none if all ended well.
    func play() throws -> [(device: String, failure: String)] {
        let signals = Signals()
        signals.handle(on: .global()) { [mailbox] _ in mailbox.post(.signal) }
        do {
            for program in programs { try program.start() }
            try record()
            try watch()
        } catch {
            _ = endAll()
            throw error
        }
        return endAll()
    }

    /// Waits until all programs have ended, one has failed, or a signal arrives.
    private func watch() throws {
        while true {
            // The reader of the output may be gone.
            try StandardOutput.flush()
            switch mailbox.next(within: Self.period) {
            case .signal: return
            case .ended(let name):
                guard let program = programs.first(where: { $0.name == name }), program.takeEnd() else { continue }
                if try !goesOn(after: program) { return }
            case nil: if restarts { try restartRebuilt() }
            }
        }
    }

    /// Reports the end of a program.
    ///
    /// - Returns: False if it is the end of the run.
    private func goesOn(after program: RunProgram) throws -> Bool {
        try record()
        // Its last words come first.
        guard let failure = program.awaitEnd(within: Self.period) else {
            note("the \(program.name) has ended")
            return restarts || programs.contains(where: \.isRunning)
        }
        note("the \(program.name) failed: \(failure)" + (restarts ? "; it waits for its next build" : ""))
        return restarts
    }

    private func restartRebuilt() throws {
        for program in programs where program.isRebuilt() {
            note("the \(program.name) was rebuilt: restarting it")
            program.askToEnd()
            _ = program.awaitEnd(within: Self.endLimit)
            try program.start()
            try record()
        }
    }

    /// Ends all programs that still run. A second signal kills them.
    private func endAll() -> [(device: String, failure: String)] {
        if programs.contains(where: \.isRunning) { note("ending all programs; a second signal kills them") }
        for program in programs { program.askToEnd() }
        Thread.detach(named: "impatience") { [mailbox] in
            while let event = mailbox.next(within: Self.endLimit) {
                if case .signal = event { BackgroundProcess.killAll() }
            }
        }
        let failures = programs.compactMap { program in
            program.awaitEnd(within: Self.endLimit).map { (device: program.name, failure: $0) }
        }
        do { try record() } catch { note("\(error)") }
        note("all programs have ended")
        return failures
    }

    /// Records the devices and their processes, for the commands.
    private func record() throws {
        try directory.write(
            programs.map {
                RunDirectory.Member(
                    name: $0.name, role: $0.place.role.rawValue, process: $0.isRunning ? $0.process?.identifier : nil)
            })
    }

    private func note(_ text: String) {
        DemoOutput.log(LinePrefix.text("watchlink", width: Self.nameWidth, .yellow) + text, asJSON: isQuiet)
    }

    /// Notes the beginning of the run, with the command that shows it.
    func noteStart() {
        let status = ShellCommand(state: directory.state).watchlink(["status"])
        note("\(programs.map(\.name).joined(separator: ", ")) in \(directory.state.path); control them like this:")
        note(status)
    }
}
