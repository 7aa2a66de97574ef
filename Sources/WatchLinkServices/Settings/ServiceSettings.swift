import EventLog
import Foundation
import LinkProtocol
import LinkTransport
import ServiceRuntime
import WatchConnectivity

/// Everything that a service's configuration says, with the defaults filled in.
struct ServiceSettings {
    let state: StateDirectory
    let log: LogSettings
    let controlSocket: String
    let database: String
    let device: DeviceConfiguration
    /// Companion only: the delays between tries to deliver a quiz.
    let outboxBackoff: Backoff

    init(role: DeviceRole, options: ParsedOptions) throws {
        state = StateDirectory(option: options["state-directory"])
        try state.create()
        let file = try ConfigurationFile(path: options["config"])
        log = try LogSettings(
            try file.section("log"), options: options, state: state, service: role.rawValue)
        let control = try file.section("control").string("socket")
        let section = try file.section("database")
        let databaseName = try section.string("file")
        switch role {
        case .host:
            controlSocket = control.map(state.path(of:)) ?? state.hostControlSocket
            database = state.path(of: databaseName ?? HostService.databaseName)
        case .companion:
            controlSocket = control.map(state.path(of:)) ?? state.companionControlSocket
            database = state.path(of: databaseName ?? "outbox.sqlite")
        }
        // The application is made for many watches at once; Apple's way is a setting.
        device = try DeviceConfiguration(
            role: role, device: try file.section("device"), file: file, defaultSocket: state.linkSocket,
            directory: state.path(of: role.rawValue), path: state.path(of:),
            identityFile: state.path(of: "\(role.rawValue).device"), serving: .all)
        var backoff = Backoff(initial: .milliseconds(500), maximum: .seconds(30))
        if role == .companion {
            let outbox = try file.section("outbox")
            backoff.initial = try outbox.seconds("firstRetry", within: 0.3...86_400) ?? backoff.initial
            backoff.maximum = try outbox.seconds("longestRetry", within: 0.3...86_400) ?? backoff.maximum
        }
        outboxBackoff = backoff
        try file.refuseUnknownKeys()
    }
}
