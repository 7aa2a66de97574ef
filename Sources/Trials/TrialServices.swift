import CrashPoints
package import Foundation
package import ServiceRuntime

/// The real services, in a directory of their own: started, asked, killed.
package final class TrialServices {
    /// How long a service may take to become ready or to end. 30 s: reached only by what is broken.
    private static let limit: DispatchTimeInterval = .seconds(30)
    /// How long an answer may take; some wait for a delivery.
    package static let patience: Duration = .seconds(60)

    package let state: StateDirectory
    private let directory: URL
    private let programs: URL
    private let onLine: @Sendable (String) -> Void
    private var processes: [String: BackgroundProcess] = [:]

    /// - Parameters:
    ///   - programs: The directory with the services' programs.
    ///   - onLine: Called with each line of their logs, the service's name before it.
    package init(in directory: URL, programs: URL, onLine: @escaping @Sendable (String) -> Void) throws {
        self.directory = directory
        self.programs = programs
        self.onLine = onLine
        state = StateDirectory(option: directory.path(percentEncoded: false))
        try FileManager.default.createDirectory(
            at: directory, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    }

    /// The directory that this program lies in, with the services beside it.
    package static var ownPrograms: URL {
        URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
    }

    /// A quiz as the companion takes it, each with an identifier of its own.
    static func quiz() -> JSONValue {
        [
            "title": "Trial", "takenAt": "2026-11-20T18:30:00Z", "identifier": .string(UUID().uuidString),
            "answers": .array([["question": "How many?", "choice": "3 to 4", "points": 3]]),
        ]
    }

    /// Starts a service.
    ///
    /// - Parameters:
    ///   - name: “host”, “companion”, or “companion” and a number: another watch, in a directory of its own.
    ///   - configuration: JSON5.
    ///   - logLevel: Of the lines that it writes, at least “notice”: it says so that it is ready.
    ///   - crashPoint: Where it is to end itself, as `WATCHLINK_CRASH_AT` says it.
    /// - Returns: Whether it became ready; if not it has ended.
    package func start(
        _ name: String, configuration: String = "{}", logLevel: String = "info", crashPoint: String? = nil
    ) throws -> Bool {
        let role = Self.role(name)
        let program = programs.appending(path: "watchlink-\(role)")
        guard FileManager.default.isExecutableFile(atPath: program.path(percentEncoded: false)) else {
            throw TrialFailure("there is no \(program.path(percentEncoded: false)): build the services first")
        }
        let file = directory.appending(path: "\(name).json5")
        try Data(configuration.utf8).write(to: file)
        var environment = ProcessInfo.processInfo.environment
        environment[CrashPoint.variable] = crashPoint
        let process = try BackgroundProcess(
            name, executable: program,
            arguments: [
                "--state-directory", folder(name), "--config", file.path(percentEncoded: false), "--log-level",
                logLevel,
            ],
            environment: environment, onLine: { [onLine] in onLine("\(name) | \($0)") })
        processes[name] = process
        return process.waitForLines(containing: "\(role): ready", within: Self.limit)
    }

    /// Every watch but the first has a directory of its own.
    package func folder(_ name: String) -> String {
        name == "host" || name == "companion" ? state.path : directory.appending(path: name).path(percentEncoded: false)
    }

    package func isRunning(_ name: String) -> Bool { processes[name].map { !$0.hasEnded } ?? false }

    package func kill(_ name: String) { processes[name]?.kill() }

    /// Ends a service in good order.
    package func stop(_ name: String) throws {
        guard let process = processes.removeValue(forKey: name), !process.hasEnded else { return }
        guard let code = process.stop(within: Self.limit) else {
            process.kill()
            throw TrialFailure("the \(name) does not end when it is asked to")
        }
        guard code == 0 else { throw TrialFailure("the \(name) ended with \(code)") }
    }

    package func call(
        _ name: String, _ method: String, _ params: JSONValue = .object([:]),
        within patience: Duration = TrialServices.patience
    ) throws(ControlClient.Failure) -> JSONValue {
        try StateDirectory(option: folder(name)).call(Self.role(name), method, params, within: patience)
    }

    /// The last lines of a service's log.
    package func lastLines(_ name: String, _ count: Int) -> [String] {
        processes[name]?.lines.suffix(count).map { "\(name) | \($0)" } ?? []
    }

    /// Waits until a line of a service's log holds a text, one of those so far, too.
    func awaitLine(_ name: String, containing text: String) throws {
        guard let process = processes[name] else { throw TrialFailure("the \(name) does not run") }
        guard process.waitForLines(containing: text, within: Self.limit) else {
            throw TrialFailure("no line of the \(name)'s log holds “\(text)” after 30 seconds, or it ended without")
        }
    }

    /// Waits until nothing waits to be sent by a service.
    package func awaitTransfers(_ name: String) throws {
        try StateDirectory(option: folder(name)).awaitTransfers(of: Self.role(name), within: Self.patience)
    }

    private static func role(_ name: String) -> String { name.hasPrefix("companion") ? "companion" : name }
}
