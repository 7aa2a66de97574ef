import Foundation
import LinkProtocol
import LinkTransport
import ServiceRuntime

/// What a device answers about its link's condition.
enum LinkMethods {
    static func status(_ session: SessionCore) throws -> JSONValue {
        guard let driver = session.driver else {
            throw ControlError(ControlError.unavailable, "the session is not activated")
        }
        let (general, special, isGone) = driver.condition { $0.summary }
        return .object([
            "condition": .string(general.description),
            "up": .boolean(!isGone),
            "connected": .integer(Int64(session.connectedDevices.count)),
            "devices": .object(
                Dictionary(
                    uniqueKeysWithValues: special.map { ($0.key.uuidString, JSONValue.string($0.value.description)) })),
        ])
    }

    static func condition(_ params: JSONValue, _ session: SessionCore) throws -> JSONValue {
        let condition: LinkCondition
        do {
            condition = try LinkCondition(settings: settings(params["settings"] ?? .null))
        } catch {
            throw ControlError(ControlError.invalidParams, "\(error)")
        }
        let device = try params["device"]?.string.map { text in
            guard let device = UUID(uuidString: text) else {
                throw ControlError(ControlError.invalidParams, "“device” is no UUID")
            }
            return device
        }
        session.driver?.condition { $0.set(condition, for: device) }
        return try status(session)
    }

    /// A preset's name, or an object of settings.
    static func settings(_ value: JSONValue) throws(LinkCondition.SettingError) -> [String: String] {
        switch value {
        case .string(let preset): return ["preset": preset]
        case .object(let entries):
            return entries.mapValues { value in
                switch value {
                case .string(let text): text
                case .integer(let number): "\(number)"
                case .number(let number): "\(number)"
                case .boolean(let flag): flag ? "on" : "off"
                case .null, .array, .object: ""
                }
            }
        default: throw LinkCondition.SettingError(key: "condition", reason: "is neither a name nor an object")
        }
    }
}
