import Configuration
import ControlSocket
import LinkProtocol
import WatchConnectivity

/// A report of a device's link.
enum LinkReport {
    static func of(_ device: DeviceSimulator) throws(ControlError) -> JSONValue {
        guard let (general, special, isGone) = device.link else {
            throw ControlError(ControlError.unavailable, "the session is not activated")
        }
        return .object([
            "condition": .string(general.description),
            "up": .boolean(!isGone && device.situation.isLinkUp),
            "connected": .integer(Int64(device.connectedDevices.count)),
            "devices": .object(
                Dictionary(
                    uniqueKeysWithValues: special.map { ($0.key.uuidString, JSONValue.string($0.value.description)) })),
        ])
    }
}
