package import Configuration
package import ControlSocket
import EventLog
import Foundation
import LinkProtocol
import Locking
package import WatchConnectivity

/// What a device answers on a control socket: how it is, what is done to it, its watches, its ledger.
package final class DeviceMethods: Sendable {
    /// Most entries of a ledger in one answer. 1,000: a few hundred kilobytes.
    private static let pageSize = 1_000

    private let device: DeviceSimulator

    package init(_ device: DeviceSimulator) { self.device = device }

    /// Nil if the method is none of these; the answer comes later otherwise.
    package func answer(
        _ method: String, _ params: JSONValue, _ respond: @escaping ControlServer.Respond
    ) -> Void? {
        do {
            switch method {
            case "device.status": respond(.success(status()))
            case "device.apply":
                device.apply(try params.deed() as DeviceDeed)
                respond(.success(status()))
            case "watches.list": respond(.success(watches()))
            case "watches.code": respond(.success(["code": .string(try device.makePairingCode())]))
            case "watches.switch", "watches.pair", "watches.unpair", "watches.install", "watches.uninstall",
                "watches.complication":
                respond(.success(try change(method, params)))
            case "link.status": respond(.success(try LinkMethods(device).status()))
            case "link.condition": respond(.success(try LinkMethods(device).condition(params)))
            case "faults.list": respond(.success(FaultMethods(device).list()))
            case "faults.apply": respond(.success(try FaultMethods(device).apply(params)))
            case "send": respond(.success(try SendMethods(device).send(params)))
            case "ledger": try ledger(params, respond)
            default: return nil
            }
        } catch let error as ControlError {
            respond(.failure(error))
        } catch let error as PairingError {
            respond(.failure(ControlError(ControlError.refused, "\(error)")))
        } catch {
            respond(.failure(ControlError(ControlError.unavailable, "\(error)")))
        }
        return ()
    }

    // MARK: - The device

    private func status() -> JSONValue {
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

    /// The delegate's method that does not return; null if none is known of.
    package var delegate: JSONValue {
        guard let (call, seconds) = device.overdueCall else { return .null }
        return [
            "method": .string(call.method), "seconds": .number(seconds.rounded()),
            "package": call.package.map { .string($0.uuidString) } ?? .null,
        ]
    }

    /// What keeps the device from working as one expects, because it was done to it; each with the words that end it.
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

    // MARK: - The phone's watches

    private func watches() -> JSONValue {
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

    private func change(_ method: String, _ params: JSONValue) throws -> JSONValue {
        guard let watch = try params.uuid("watch") else {
            throw ControlError(ControlError.invalidParams, "“watch” is missing: a watch's UUID")
        }
        guard device.configuration?.device.role == .host else { throw PairingError.notHost }
        switch method {
        case "watches.switch": try device.switchTo(watch)
        case "watches.pair": try device.pair(watch)
        case "watches.unpair": try device.unpair(watch)
        case "watches.install": try device.setAppInstalled(true, on: watch)
        case "watches.uninstall": try device.setAppInstalled(false, on: watch)
        default: try device.setComplicationEnabled(params["enabled"]?.boolean ?? true, on: watch)
        }
        return watches()
    }

    // MARK: - The ledger

    /// The latest entries, or those after a place and before another; with “wait” the answer waits until there is one.
    private func ledger(_ params: JSONValue, _ respond: @escaping ControlServer.Respond) throws {
        let after = params["after"]?.integer ?? 0
        let before = params["before"]?.integer
        let identifier = try params.uuid("identifier")
        let limit = min(max(1, Int(params["limit"]?.integer ?? Int64(Self.pageSize))), Self.pageSize)
        let waits = params["wait"]?.boolean == true
        let token = SharedFlag()
        if waits {
            // Before the look: a change between the look and the wait must not be missed.
            device.whenLedgerChanges { [self] in
                guard token.take() else { return }
                // Not on the store's queue, which reading the ledger waits for.
                DispatchQueue.global().async { [self] in _ = answer("ledger", params, respond) }
            }
        }
        do {
            let entries = try device.ledger(
                after: after, before: before, identifier: identifier, limit: limit)
            let found = JSONValue.array(try entries.map(Self.json))
            guard !entries.isEmpty || !waits, token.take() else { return }
            respond(.success(found))
        } catch {
            // Whoever saw the change first answers.
            if token.take() { throw error }
        }
    }

    private static func json(_ entry: LedgerEntry) throws -> JSONValue {
        let encoder = JSONEncoder()
        encoder.dateEncodingStrategy = .custom { date, encoder in
            var container = encoder.singleValueContainer()
            try container.encode(LogFormat.timestamp(date))
        }
        return try JSONDecoder().decode(JSONValue.self, from: try encoder.encode(entry))
    }
}
