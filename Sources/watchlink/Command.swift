import Foundation
import ServiceRuntime

/// One of the command line's commands.
protocol Command: SendableMetatype {
    static var name: String { get }
    /// Lines of the help.
    static var usage: [String] { get }
    static func run(_ invocation: Invocation) throws -> ExitCode
}

/// What a command was called with.
struct Invocation {
    let options: ParsedOptions
    /// What follows the command's name.
    let words: [String]

    var wantsJSON: Bool { options.has("json") }
    var state: StateDirectory { StateDirectory(option: options["state-directory"]) }

    /// A connection to the host. `timeout` limits each answer; nil waits for ever.
    func host() throws(ControlClient.Failure) -> ControlClient {
        try ControlClient(path: options["host-socket"] ?? state.hostControlSocket)
    }

    func companion(timeout: Duration? = .seconds(30)) throws(ControlClient.Failure) -> ControlClient {
        try ControlClient(path: options["companion-socket"] ?? state.companionControlSocket, timeout: timeout)
    }
}

/// Why a command did not work, in words that tell the next step.
struct CommandError: Error {
    let message: String
    let code: ExitCode

    init(_ message: String, _ code: ExitCode = .failure) {
        self.message = message
        self.code = code
    }

    /// What a service's absence or answer means for the user.
    init(_ failure: ControlClient.Failure, service: String) {
        switch failure {
        case .notRunning(let path):
            self.init(
                "the \(service) does not run (no service at \(path)); start it with “watchlink-\(service) --config Config/\(service).json5”, or name its --state-directory",
                .notRunning)
        case .refused(let error): self.init(error.message)
        case .connection, .protocolViolation: self.init("\(service): \(failure)")
        }
    }
}
