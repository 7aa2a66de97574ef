import ControlSocket
import Foundation
import Processes
import ServiceRuntime

/// An error of a command, with a message that says what to do next.
struct CommandError: Error, CustomStringConvertible {
    let message: String
    let code: ExitCode
    var description: String { message }

    init(_ message: String, _ code: ExitCode = .failure) {
        self.message = message
        self.code = code
    }

    /// Converts any error of a request to a service.
    init(any error: any Error, service: String) {
        switch error {
        case let error as CommandError: self = error
        case let failure as ControlClient.Failure: self.init(failure, service: service)
        default: self.init("\(service): \(error)")
        }
    }

    /// Converts any error of a request to a device.
    init(any error: any Error, of device: CommandDevice) {
        guard let failure = error as? ControlClient.Failure else {
            self.init(any: error, service: device.name)
            return
        }
        self.init(failure, of: device)
    }

    /// Converts a failed request to a device.
    init(_ failure: ControlClient.Failure, of device: CommandDevice) {
        guard case .notRunning = failure, device.kind == .program else {
            self.init(failure, service: device.name)
            return
        }
        if let process = device.process, device.isRunning {
            self.init(
                "the \(device.name) runs (process \(process)), but cannot be asked: it has not activated its session, or is not linked with DeviceControl; then add that product of the package WatchLink to its target's dependencies",
                .notAnswering)
        } else {
            self.init("the \(device.name) is not running; start it with “watchlink run”", .notRunning)
        }
    }

    /// Converts a failed request to a message for the user.
    init(_ failure: ControlClient.Failure, service: String) {
        switch failure {
        case .notRunning(let path):
            let folder = URL(filePath: path).deletingLastPathComponent().path(percentEncoded: false)
            let state = StateDirectory(option: folder)
            let isUsual = [state.hostControlSocket, state.companionControlSocket].contains(path)
            let start =
                isUsual
                ? "; start it: \(ShellCommand(state: state).start(service))"
                : "; your own program listens only if it is linked with the product DeviceControl"
            self.init("the \(service) is not running (nothing listens at \(path))\(start)", .notRunning)
        case .notAllowed: self.init("\(service): \(failure)", .notAllowed)
        case .refused(let error):
            self.init(error.message, error.code == ControlError.invalidParams ? .usage : .failure)
        case .notAnswering: self.init("the \(service) \(failure)", .notAnswering)
        case .late, .connection, .protocolViolation: self.init("\(service): \(failure)")
        }
    }
}
