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
