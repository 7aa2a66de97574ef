public import EventLog
import Foundation
public import LinkProtocol
public import LinkTransport

/// What makes a process a device: a phone (host) or a watch (companion).
public struct DeviceConfiguration: Sendable {
    public var device: Device
    /// Where the host listens and the companion connects. At most 107 bytes long.
    public var socketPath: String
    /// Host only: who may connect.
    public var access: AccessRule = .owner
    public var times = LinkTimes()
    /// Companion only: the delays between tries to connect. 50 ms to 5 s: a host that restarts is found at once, one that
    /// stays away costs nothing.
    public var reconnect = Backoff(initial: .milliseconds(50), maximum: .seconds(5))
    public var logger = Logger.silent

    public init(device: Device, socketPath: String) {
        self.device = device
        self.socketPath = socketPath
    }

    /// The device that the environment describes: `WATCHLINK_ROLE` (host or companion) and `WATCHLINK_SOCKET`, and
    /// optionally `WATCHLINK_DEVICE_ID` (a UUID) and `WATCHLINK_DEVICE_NAME`. Nil if the first two are not there.
    public init?(environment: [String: String]) {
        guard let role = environment["WATCHLINK_ROLE"].flatMap(DeviceRole.init(rawValue:)),
            let socketPath = environment["WATCHLINK_SOCKET"]
        else { return nil }
        let identifier = environment["WATCHLINK_DEVICE_ID"].flatMap(UUID.init(uuidString:)) ?? UUID()
        let name = environment["WATCHLINK_DEVICE_NAME"] ?? role.rawValue
        self.init(device: Device(identifier: identifier, role: role, name: name), socketPath: socketPath)
    }
}
