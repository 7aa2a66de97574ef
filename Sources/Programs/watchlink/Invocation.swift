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

    // MARK: - Devices

    /// Returns the devices of the state directory, the phone first: the two services, or the programs of “watchlink run”
    /// if it is the directory of a run.
    func devices() throws(CommandError) -> [CommandDevice] {
        if options["control"] == nil, let programs = try RunDirectory(state: state).devices() { return programs }
        return [
            .service(.host, in: state, controlSocket: options["host-socket"]),
            .service(.companion, in: state, controlSocket: options["companion-socket"]),
        ]
    }

    /// Returns the phone.
    func phone() throws -> CommandDevice { try device(DeviceRole.host.rawValue, of: "device") }

    /// Returns the device with a name. The names of the services also mean a run's phone and its first watch.
    ///
    /// - Parameter subject: The command, for the error.
    func device(_ name: String, of subject: String) throws -> CommandDevice {
        let devices = try devices()
        if let device = devices.first(where: { $0.name == name }) ?? devices.first(where: { $0.role.rawValue == name })
        {
            return device
        }
        throw WordError.unknown(name, subject: subject, allowed: devices.map(\.name))
    }

    /// Reads the name of a device, if the next word is one.
    func device(_ reader: inout WordReader) throws -> CommandDevice? {
        guard let name = reader.rest.first,
            try devices().contains(where: { $0.name == name || $0.role.rawValue == name })
        else { return nil }
        _ = reader.next()
        return try device(name, of: name)
    }

    /// Returns the device named by the only operand, or the phone without one.
    func onlyDevice(_ command: String) throws -> CommandDevice {
        guard let name = words.first else { return try phone() }
        let device = try device(name, of: command)
        var reader = WordReader(words)
        _ = reader.next()
        try reader.end("\(command) \(name)")
        return device
    }

    /// Returns the value of a UUID option.
    func uuid(option: OptionDefinition) throws(WordError) -> UUID? {
        guard let text = options[option.name] else { return nil }
        return try WordValue.uuid("--\(option.name)", text)
    }

    /// Connects to a device, or to any process whose control socket was given.
    func client(of device: CommandDevice, timeout: Duration? = .seconds(30)) throws -> ControlClient {
        do throws(ControlClient.Failure) {
            return try ControlClient(path: options["control"] ?? device.controlSocket, timeout: timeout)
        } catch {
            throw CommandError(error, of: device)
        }
    }

    /// Sends a request to a device and returns the answer.
    func ask(_ device: CommandDevice, _ request: DeviceRequest) throws -> JSONValue {
        let client = try client(of: device)
        do throws(ControlClient.Failure) {
            return try client.call(request)
        } catch {
            throw CommandError(error, of: device)
        }
    }

    /// Connects to the host.
    func host() throws(ControlClient.Failure) -> ControlClient {
        try ControlClient(path: options["host-socket"] ?? state.hostControlSocket)
    }

    func companion(timeout: Duration? = .seconds(30)) throws(ControlClient.Failure) -> ControlClient {
        try ControlClient(path: options["companion-socket"] ?? state.companionControlSocket, timeout: timeout)
    }
}
