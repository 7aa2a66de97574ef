package import Configuration
package import ControlSocket
import CrashPoints
package import Foundation
import Processes
package import ServiceRuntime

/// The real services in a separate directory: starts, calls and kills them.
package final class TrialServices {
    /// The time a service may take to become ready or to end. 30 s: reached only by broken services.
    private static let limit: DispatchTimeInterval = .seconds(30)
    /// The time-out of calls; some wait for a delivery.
    package static let patience: Duration = .seconds(60)

    package let state: StateDirectory
    private let directory: URL
    private let programs: ServicePrograms
    private let onLine: @Sendable (String) -> Void
    private var processes: [String: BackgroundProcess] = [:]

    /// - Parameters:
    ///   - onLine: Called with each line of their logs, prefixed with the service's name.
    package init(
        in directory: URL, programs: ServicePrograms = .own, onLine: @escaping @Sendable (String) -> Void
    ) throws {
        self.directory = directory
        self.programs = programs
        self.onLine = onLine
        state = StateDirectory(option: directory.path(percentEncoded: false))
        try FileManager.default.createDirectory(
            at: directory, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    }

    /// The directory of this program, which also contains the services.
    package static var ownPrograms: URL {
        URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
    }

    /// Starts a service.
    ///
    /// - Parameters:
    ///   - name: “host” or “companion”.
    ///   - configuration: JSON5.
    ///   - logLevel: The lowest level it logs, at least “notice”, as readiness is logged.
    ///   - crashPoint: The crash point at which it kills itself, in the form of `WATCHLINK_CRASH_AT`.
    /// - Returns: True if it became ready; otherwise it has ended.
    package func start(
        _ name: String, configuration: String = "{}", logLevel: String = "info", crashPoint: String? = nil
    ) throws -> Bool {
        let program = programs.program(of: name)
        guard FileManager.default.isExecutableFile(atPath: program.path(percentEncoded: false)) else {
            throw TrialFailure(
                "\(program.path(percentEncoded: false)) is no program; build the services first, or correct its name")
        }
        let file = directory.appending(path: "\(name).json5")
        try Data(configuration.utf8).write(to: file)
        var environment = ProcessInfo.processInfo.environment
        environment[CrashPoint.variable] = crashPoint
        let process = try BackgroundProcess(
            name, executable: program,
            arguments: [
                "--state-directory", state.path, "--config", file.path(percentEncoded: false), "--log-level",
                logLevel,
            ],
            environment: environment, onLine: { [onLine] in onLine("\(name) | \($0)") })
        processes[name] = process
        return process.waitForLines(containing: "\(name): ready", within: Self.limit)
    }

    package func isRunning(_ name: String) -> Bool { processes[name].map { !$0.hasEnded } ?? false }

    /// Returns the process of a running service.
    package func processIdentifier(of name: String) -> Int32? { processes[name]?.identifier }

    package func kill(_ name: String) { processes[name]?.kill() }

    /// Ends a service with SIGTERM.
    package func stop(_ name: String) throws {
        guard let process = processes.removeValue(forKey: name), !process.hasEnded else { return }
        guard let code = process.stop(within: Self.limit) else {
            process.kill()
            throw TrialFailure("the \(name) did not end when requested")
        }
        guard code == 0 else { throw TrialFailure("the \(name) ended with exit code \(code)") }
    }

    package func call(
        _ name: String, _ method: String, _ params: JSONValue = .object([:]),
        within patience: Duration = TrialServices.patience
    ) throws(ControlClient.Failure) -> JSONValue {
        try state.call(name, method, params, within: patience)
    }
}
