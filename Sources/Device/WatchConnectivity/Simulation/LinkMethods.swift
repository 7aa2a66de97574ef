import Configuration
import ControlSocket
import DeviceShell
import Foundation
import LinkProtocol
import LinkTransport
import Locking

/// What a device answers about its link's condition.
enum LinkMethods {
    static func status(_ session: SessionCore) throws -> JSONValue {
        guard let shell = session.shell else {
            throw ControlError(ControlError.unavailable, "the session is not activated")
        }
        let (general, special, isGone) = shell.condition { $0.summary }
        return .object([
            "condition": .string(general.description),
            "up": .boolean(!isGone && session.state.withLock { $0.isLinkUp }),
            "connected": .integer(Int64(session.connectedDevices.count)),
            "devices": .object(
                Dictionary(
                    uniqueKeysWithValues: special.map { ($0.key.uuidString, JSONValue.string($0.value.description)) })),
        ])
    }

    /// - Parameter params: The words of a ``LinkCondition``, and perhaps the one `device` that it is for.
    static func condition(_ params: JSONValue, _ session: SessionCore) throws -> JSONValue {
        let condition: LinkCondition = try params.deed()
        let device = try params.uuid("device")
        session.shell?.condition { $0.set(condition, for: device) }
        return try status(session)
    }
}
