import Configuration
import ControlSocket
import LinkProtocol
import WatchConnectivity

/// What a device answers about its link's condition.
struct LinkMethods {
    private let device: DeviceSimulator

    init(_ device: DeviceSimulator) { self.device = device }

    func status() throws(ControlError) -> JSONValue {
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

    /// - Parameter params: The words of a ``LinkCondition``, and perhaps the one `device` that it is for.
    func condition(_ params: JSONValue) throws(ControlError) -> JSONValue {
        let condition: LinkCondition = try params.deed()
        device.condition(condition, for: try params.uuid("device"))
        return try status()
    }
}
