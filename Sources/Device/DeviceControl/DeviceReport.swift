package import Configuration
import LinkProtocol
package import WatchConnectivity

/// A report of a device's state.
package struct DeviceReport {
    private let device: DeviceSimulator

    package init(of device: DeviceSimulator) { self.device = device }

    var whole: JSONValue {
        let (presence, configuration) = (device.presence, device.configuration)
        return .object([
            "role": .string(configuration?.device.role.rawValue ?? "none"),
            "identifier": configuration.map { .string($0.device.identifier.uuidString) } ?? .null,
            "session": .string(Self.name(presence?.activation ?? .notActivated)),
            "application": .string(presence?.own.application.rawValue ?? "terminated"),
            "reachable": .boolean(device.isReachable),
            "wristDown": .boolean(presence?.own.isWristDown == true),
            "workout": .boolean(presence?.own.hasWorkout == true),
            "locked": .boolean(presence?.own.isLocked == true),
            "appInstalled": .boolean(presence?.own.isAppInstalled == true),
            "contentPending": .boolean(device.hasContentPending),
            "outgoing": .integer(Int64(device.pendingTransfers)),
            "incoming": .integer(Int64(device.pendingArrivals)),
            "delegate": delegate,
            "troubles": troubles,
            "socket": configuration.map { .string($0.socketPath) } ?? .null,
        ])
    }

    /// The overdue delegate method, or null.
    package var delegate: JSONValue {
        guard let (call, seconds) = device.overdueCall else { return .null }
        return [
            "method": .string(call.method), "seconds": .number(seconds.rounded()),
            "package": call.package.map { .string($0.uuidString) } ?? .null,
        ]
    }

    /// The actions that still impair the device, each with the words that undo it.
    package var troubles: JSONValue {
        guard let role = device.configuration?.device.role else { return .array([]) }
        return .array(
            DeviceTrouble.all(of: role, in: device.situation).map { trouble in
                [
                    "text": .string(trouble.text), "grave": .boolean(trouble.isGrave),
                    "remedy": .array(trouble.remedy.map { .string($0) }),
                ]
            })
    }

    private static func name(_ activation: Activation) -> String {
        switch activation {
        case .notActivated: "not activated"
        case .inactive: "inactive"
        case .activated: "activated"
        }
    }
}
