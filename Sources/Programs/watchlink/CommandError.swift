import ControlSocket
import Foundation
import Processes
import ServiceRuntime

/// Why a command did not work, in words that tell the next step.
struct CommandError: Error, CustomStringConvertible {
    let message: String
    let code: ExitCode
    var description: String { message }

    init(_ message: String, _ code: ExitCode = .failure) {
        self.message = message
        self.code = code
    }

    /// Whatever went wrong when a service was asked.
    init(any error: any Error, service: String) {
        switch error {
        case let error as CommandError: self = error
        case let failure as ControlClient.Failure: self.init(failure, service: service)
        default: self.init("\(service): \(error)")
        }
    }

    /// What a service's absence or answer means for the user.
    init(_ failure: ControlClient.Failure, service: String) {
        switch failure {
        case .notRunning(let path):
            let folder = URL(filePath: path).deletingLastPathComponent().path(percentEncoded: false)
            let state = StateDirectory(option: folder)
            let isUsual = [state.hostControlSocket, state.companionControlSocket].contains(path)
            let start =
                isUsual
                ? "; start it: \(ShellCommand(state: state).start(service))"
                : "; a program of yours listens if it is linked with the product DeviceControl"
            self.init("the \(service) does not run (nobody listens at \(path))\(start)", .notRunning)
        case .notAllowed: self.init("\(service): \(failure)", .notAllowed)
        case .refused(let error):
            self.init(error.message, error.code == ControlError.invalidParams ? .usage : .failure)
        case .notAnswering: self.init("the \(service) \(failure)", .notAnswering)
        case .late, .connection, .protocolViolation: self.init("\(service): \(failure)")
        }
    }
}
