import Configuration
import ControlSocket
import DeviceControl
import Foundation
import LinkProtocol
import ServiceRuntime
import Words

/// What a command was called with.
struct Invocation {
    let options: ParsedOptions
    /// What follows the command's name.
    let words: [String]

    var wantsJSON: Bool { options.has("json") }
    var state: StateDirectory { StateDirectory(ofCommand: options["state-directory"]) }

    /// The service that the only word names; the host, if there is none.
    func onlySide(_ command: String) throws(WordError) -> String {
        guard !words.isEmpty else { return DeviceRole.host.rawValue }
        var reader = WordReader(words)
        let side: DeviceRole = try reader.choice(command)
        try reader.end("\(command) \(side.rawValue)")
        return side.rawValue
    }

    /// The value of an option that is a UUID.
    func uuid(option: OptionDefinition) throws(WordError) -> UUID? {
        guard let text = options[option.name] else { return nil }
        return try WordValue.uuid("--\(option.name)", text)
    }

    /// A connection to a device: one of the two services, or any process with a control socket.
    ///
    /// - Parameter side: “host” or “companion”.
    func device(_ side: String, timeout: Duration? = .seconds(30)) throws -> ControlClient {
        do throws(ControlClient.Failure) {
            return try ControlClient(path: options["control"] ?? controlSocket(of: side), timeout: timeout)
        } catch {
            throw CommandError(error, service: side)
        }
    }

    /// A device's answer.
    func ask(_ side: DeviceRole, _ request: DeviceRequest) throws -> JSONValue {
        let client = try device(side.rawValue)
        do throws(ControlClient.Failure) {
            return try client.call(request)
        } catch {
            throw CommandError(error, service: side.rawValue)
        }
    }

    /// Where a service listens.
    func controlSocket(of side: String) -> String {
        side == "host"
            ? options["host-socket"] ?? state.hostControlSocket
            : options["companion-socket"] ?? state.companionControlSocket
    }

    /// A connection to the host. `timeout` limits each answer; nil waits for ever.
    func host() throws(ControlClient.Failure) -> ControlClient {
        try ControlClient(path: options["host-socket"] ?? state.hostControlSocket)
    }

    func companion(timeout: Duration? = .seconds(30)) throws(ControlClient.Failure) -> ControlClient {
        try ControlClient(path: options["companion-socket"] ?? state.companionControlSocket, timeout: timeout)
    }
}
