import Glibc
import LinkProtocol
import ServiceRuntime

/// A device that a command addresses: one of the services, or a program of “watchlink run”.
struct CommandDevice: Sendable, Equatable {
    enum Kind: Sendable {
        case service
        case program
    }

    /// “host”, “companion”; or “phone”, “watch”, “watch2” …
    let name: String
    let role: DeviceRole
    let kind: Kind
    let controlSocket: String
    /// The directory of its session.
    let directory: String
    /// The process of a program that was last seen running.
    var process: Int32?

    /// Returns one of the services.
    static func service(_ role: DeviceRole, in state: StateDirectory, controlSocket: String?) -> CommandDevice {
        let name = role.rawValue
        return CommandDevice(
            name: name, role: role, kind: .service, controlSocket: controlSocket ?? state.controlSocket(of: name),
            directory: state.device(of: name))
    }

    /// Returns true if the program runs, whether or not it can be asked.
    var isRunning: Bool { process.map { kill($0, 0) == 0 || errno == EPERM } ?? false }

    /// The name for people.
    var title: String {
        switch kind {
        case .service: "\(name) (\(role == .host ? "phone" : "watch"))"
        case .program: name
        }
    }
}
