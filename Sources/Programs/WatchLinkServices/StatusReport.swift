import Configuration
import DeviceControl
import Foundation
import QuizSync
import ServiceRuntime
import Storage
import WatchConnectivity

/// The status that both services report on the control socket.
enum StatusReport {
    static func common(
        service: String, session: WCSession, history: MessageHistory, started: Date
    ) -> [String: JSONValue] {
        awaitNotifications()
        let device = DeviceReport(of: session.simulator)
        let (activation, isReachable) = session.presentState
        return [
            "service": .string(service),
            "version": .string(Version.number),
            "commit": .string(Version.commit),
            "process": .integer(Int64(getpid())),
            "uptimeSeconds": .number(Date().timeIntervalSince(started).rounded(toPlaces: 3)),
            "session": .string(activation == .activated ? "activated" : "not activated"),
            "reachable": .boolean(isReachable),
            "peers": .array(
                session.connectedDevices.map {
                    .object(["identifier": .string($0.identifier.uuidString), "name": .string($0.name)])
                }),
            "delegate": device.delegate,
            "sessionDatabase": .string(session.databaseTrouble.map { "\($0)" } ?? "available"),
            "awaitingReply": .integer(Int64(session.outstandingMessages)),
            "waiting": [
                "transfersOut": .integer(Int64(session.waitingTransfers)),
                "transfersIn": .integer(Int64(session.waitingArrivals)),
                "repliesAwaited": .integer(Int64(session.outstandingMessages)),
                "repliesOwed": .integer(Int64(session.openReplies)),
            ],
            "troubles": device.troubles,
            "databases": .array(
                DatabaseHealth.process.all.map {
                    ["path": .string($0.path), "trouble": .string("\($0)"), "brief": .string($0.brief)]
                }),
            "messages": .object(
                Dictionary(
                    uniqueKeysWithValues: DeliveryStatus.allCases.map {
                        ($0.rawValue.lowercased(), JSONValue.integer(Int64(history.count(of: $0))))
                    })),
        ]
    }

    /// Waits for the main queue: statuses are posted there, and those posted before the request belong in its answer.
    private static func awaitNotifications() { DispatchQueue.main.sync {} }

    static func history(_ history: MessageHistory) -> JSONValue {
        awaitNotifications()
        return .array(
            history.entries.map { entry in
                .object([
                    "identifier": .string(entry.identifier.uuidString),
                    "statuses": .array(entry.statuses.map { .string($0.rawValue.lowercased()) }),
                    "error": entry.errorMessage.map(JSONValue.string) ?? .null,
                ])
            })
    }
}

extension Double {
    fileprivate func rounded(toPlaces places: Int) -> Double {
        let factor = pow(10, Double(places))
        return (self * factor).rounded() / factor
    }
}
