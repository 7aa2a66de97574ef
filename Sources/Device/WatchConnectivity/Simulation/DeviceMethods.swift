package import Configuration
package import ControlSocket
import DeviceShell
import EventLog
import Foundation
import LinkProtocol
import Locking

/// What a device answers on a control socket: how it is, what is done to it, its watches, its ledger.
package final class DeviceMethods: Sendable {
    /// Most entries of a ledger in one answer. 1,000: a few hundred kilobytes.
    private static let pageSize = 1_000

    private let session: SessionCore
    private var simulator: DeviceSimulator { DeviceSimulator(session) }

    package init(_ session: WCSession) { self.session = session.core }

    init(_ core: SessionCore) { session = core }

    /// Nil if the method is none of these; the answer comes later otherwise.
    package func answer(
        _ method: String, _ params: JSONValue, _ respond: @escaping ControlServer.Respond
    ) -> Void? {
        do {
            switch method {
            case "device.status": respond(.success(status()))
            case "device.apply":
                simulator.apply(try params.deed() as DeviceDeed)
                respond(.success(status()))
            case "watches.list": respond(.success(watches()))
            case "watches.code": respond(.success(["code": .string(try simulator.makePairingCode())]))
            case "watches.switch", "watches.pair", "watches.unpair", "watches.install", "watches.uninstall",
                "watches.complication":
                respond(.success(try change(method, params)))
            case "link.status": respond(.success(try LinkMethods.status(session)))
            case "link.condition": respond(.success(try LinkMethods.condition(params, session)))
            case "faults.list": respond(.success(FaultMethods(session).list()))
            case "faults.apply": respond(.success(try FaultMethods(session).apply(params)))
            case "send": respond(.success(try SendMethods(session).send(params)))
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
        let presence = session.presence
        return .object([
            "role": .string(session.role?.rawValue ?? "none"),
            "identifier": session.configuration.map { .string($0.device.identifier.uuidString) } ?? .null,
            "session": .string(Self.name(presence?.activation ?? .notActivated)),
            "application": .string(presence?.own.application.rawValue ?? "terminated"),
            "reachable": .boolean(session.isReachable(nil)),
            "wristDown": .boolean(presence?.own.isWristDown == true),
            "workout": .boolean(presence?.own.hasWorkout == true),
            "locked": .boolean(presence?.own.isLocked == true),
            "appInstalled": .boolean(presence?.own.isAppInstalled == true),
            "contentPending": .boolean(session.hasContentPending),
            "outgoing": .integer(Int64(session.shell?.pendingTransfers ?? 0)),
            "incoming": .integer(Int64(session.shell?.inbox.count ?? 0)),
            "delegate": Self.delegate(session),
            "troubles": session.troubles,
            "socket": session.configuration.map { .string($0.socketPath) } ?? .null,
        ])
    }

    /// The delegate's method that does not return; null if none is known of.
    package static func delegate(_ session: WCSession) -> JSONValue { delegate(session.core) }

    private static func delegate(_ session: SessionCore) -> JSONValue {
        guard let (call, seconds) = session.overdueCall else { return .null }
        return [
            "method": .string(call.method), "seconds": .number(seconds.rounded()),
            "package": call.package.map { .string($0.uuidString) } ?? .null,
        ]
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
        let presence = session.presence
        return .array(
            simulator.companions.map { companion in
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
        guard session.role == .host else { throw PairingError.notHost }
        switch method {
        case "watches.switch": try simulator.switchTo(watch)
        case "watches.pair": try simulator.pair(watch)
        case "watches.unpair": try simulator.unpair(watch)
        case "watches.install": try simulator.setAppInstalled(true, on: watch)
        case "watches.uninstall": try simulator.setAppInstalled(false, on: watch)
        default: try simulator.setComplicationEnabled(params["enabled"]?.boolean ?? true, on: watch)
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
            simulator.whenLedgerChanges { [self] in
                guard token.take() else { return }
                // Not on the store's queue, which reading the ledger waits for.
                DispatchQueue.global().async { [self] in _ = answer("ledger", params, respond) }
            }
        }
        do {
            let entries = try simulator.ledger(
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
