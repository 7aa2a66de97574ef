import Foundation
import ServiceRuntime

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
