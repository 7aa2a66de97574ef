import Configuration
import ControlSocket
import DeviceControl
import Foundation
import LinkProtocol
import ServiceRuntime
import Words

/// The options and operands of a command.
struct Invocation {
    let options: ParsedOptions
    /// The operands after the command's name.
    let words: [String]

    var wantsJSON: Bool { options.has("json") }
    var state: StateDirectory { StateDirectory(ofCommand: options["state-directory"]) }

    /// Returns the service named by the only operand, or the host without one.
    func onlySide(_ command: String) throws(WordError) -> String {
        guard !words.isEmpty else { return DeviceRole.host.rawValue }
        var reader = WordReader(words)
        let side: DeviceRole = try reader.choice(command)
        try reader.end("\(command) \(side.rawValue)")
        return side.rawValue
    }

    /// Returns the value of a UUID option.
    func uuid(option: OptionDefinition) throws(WordError) -> UUID? {
        guard let text = options[option.name] else { return nil }
        return try WordValue.uuid("--\(option.name)", text)
    }

    /// Connects to a device: one of the two services, or any process with a control socket.
    ///
    /// - Parameter side: “host” or “companion”.
    func device(_ side: String, timeout: Duration? = .seconds(30)) throws -> ControlClient {
        do throws(ControlClient.Failure) {
            return try ControlClient(path: options["control"] ?? controlSocket(of: side), timeout: timeout)
        } catch {
            throw CommandError(error, service: side)
        }
    }

    /// Sends a request to a device and returns the answer.
    func ask(_ side: DeviceRole, _ request: DeviceRequest) throws -> JSONValue {
        let client = try device(side.rawValue)
        do throws(ControlClient.Failure) {
            return try client.call(request)
        } catch {
            throw CommandError(error, service: side.rawValue)
        }
    }

    /// Returns the path of a service's control socket.
    func controlSocket(of side: String) -> String {
        side == "host"
            ? options["host-socket"] ?? state.hostControlSocket
            : options["companion-socket"] ?? state.companionControlSocket
    }

    /// Connects to the host.
    func host() throws(ControlClient.Failure) -> ControlClient {
        try ControlClient(path: options["host-socket"] ?? state.hostControlSocket)
    }

    func companion(timeout: Duration? = .seconds(30)) throws(ControlClient.Failure) -> ControlClient {
        try ControlClient(path: options["companion-socket"] ?? state.companionControlSocket, timeout: timeout)
    }
}
