import Configuration
import LinkProtocol
import WatchConnectivity

/// A report of a phone's watches.
enum WatchesReport {
    static func of(_ device: DeviceSimulator) -> JSONValue {
        let presence = device.presence
        return .array(
            device.companions.map { companion in
                .object([
                    "identifier": .string(companion.identifier.uuidString),
                    "name": .string(companion.name),
                    "paired": .boolean(companion.isPaired),
                    "appInstalled": .boolean(companion.isAppInstalled),
                    "complication": .boolean(companion.hasComplication),
                    "active": .boolean(companion.isActive),
                    "connected": .boolean(presence?.peers[companion.identifier] != nil),
                    "reachable": .boolean(presence?.isReachable(companion.identifier) == true),
                ])
            })
    }
}
