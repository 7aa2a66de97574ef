import EventLog
import Foundation
import LinkProtocol
import LinkTransport
import ServiceRuntime
import WatchConnectivity

/// Everything that a service's configuration says, with the defaults filled in.
struct ServiceSettings {
    /// Bounds of the periods that a configuration may set: a hundredth of a second to a day.
    static let periods: ClosedRange<Double> = 0.01...86_400

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
        let link = try file.section("link")
        device = try Self.device(role, try file.section("device"), link, state)
        var backoff = Backoff(initial: .milliseconds(500), maximum: .seconds(30))
        if role == .companion {
            let outbox = try file.section("outbox")
            backoff.initial = try outbox.seconds("firstRetry", within: 0.3...86_400) ?? backoff.initial
            backoff.maximum = try outbox.seconds("longestRetry", within: 0.3...86_400) ?? backoff.maximum
        }
        outboxBackoff = backoff
        try file.refuseUnknownKeys()
    }

    private static func device(
        _ role: DeviceRole, _ section: ConfigurationFile, _ link: ConfigurationFile, _ state: StateDirectory
    ) throws -> DeviceConfiguration {
        let identifier =
            try section.uuid("identifier") ?? DeviceIdentity.identifier(at: state.path(of: "\(role.rawValue).device"))
        let name = try section.string("name") ?? (role == .host ? "Phone" : "Watch")
        guard name.utf8.count <= LinkLimits.deviceNameBytes else {
            throw section.wrong("name", "is longer than \(LinkLimits.deviceNameBytes) bytes")
        }
        let socket = try link.string("socket").map(state.path(of:)) ?? state.linkSocket
        var device = DeviceConfiguration(
            device: Device(identifier: identifier, role: role, name: name), socketPath: socket)
        device.times.hello = try link.seconds("helloTimeout", within: periods) ?? device.times.hello
        device.times.heartbeat = try link.seconds("heartbeat", within: periods) ?? device.times.heartbeat
        device.times.silence = try link.seconds("silenceTimeout", within: periods) ?? device.times.silence
        device.times.reply = try link.seconds("replyTimeout", within: periods) ?? device.times.reply
        switch role {
        case .host: device.access = try link.users("allowedUsers").map(AccessRule.users) ?? .owner
        case .companion:
            device.reconnect.initial =
                try link.seconds("firstReconnect", within: periods) ?? device.reconnect.initial
            device.reconnect.maximum =
                try link.seconds("longestReconnect", within: periods) ?? device.reconnect.maximum
        }
        return device
    }
}
