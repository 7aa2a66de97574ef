import Foundation
import ServiceRuntime

/// What a command was called with.
struct Invocation {
    let options: ParsedOptions
    /// What follows the command's name.
    let words: [String]

    var wantsJSON: Bool { options.has("json") }
    var state: StateDirectory { StateDirectory(option: options["state-directory"]) }

    /// A connection to a device: one of the two services, or any process with a control socket.
    ///
    /// - Parameter side: “host” or “companion”.
    func device(_ side: String, timeout: Duration? = .seconds(30)) throws -> ControlClient {
        let path =
            options["control"]
            ?? (side == "host"
                ? options["host-socket"] ?? state.hostControlSocket
                : options["companion-socket"] ?? state.companionControlSocket)
        do throws(ControlClient.Failure) {
            return try ControlClient(path: path, timeout: timeout)
        } catch {
            throw CommandError(error, service: side)
        }
    }

    /// A connection to the host. `timeout` limits each answer; nil waits for ever.
    func host() throws(ControlClient.Failure) -> ControlClient {
        try ControlClient(path: options["host-socket"] ?? state.hostControlSocket)
    }

    func companion(timeout: Duration? = .seconds(30)) throws(ControlClient.Failure) -> ControlClient {
        try ControlClient(path: options["companion-socket"] ?? state.companionControlSocket, timeout: timeout)
    }
}
