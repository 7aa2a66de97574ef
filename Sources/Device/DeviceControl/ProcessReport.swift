package import Configuration
package import Foundation
import Glibc
import LinkProtocol
import Storage
package import WatchConnectivity

/// The part of a status that every process with a device reports.
package enum ProcessReport {
    /// Returns the report.
    package static func of(_ device: DeviceSimulator, started: Date) -> [String: JSONValue] {
        let report = DeviceReport(of: device)
        return [
            "process": .integer(Int64(getpid())),
            "uptimeSeconds": .number(Date().timeIntervalSince(started).rounded(toPlaces: 3)),
            "session": .string(device.presence?.activation == .activated ? "activated" : "not activated"),
            "reachable": .boolean(device.isReachable),
            "peers": .array(
                device.connectedDevices.map {
                    .object(["identifier": .string($0.identifier.uuidString), "name": .string($0.name)])
                }),
            "delegate": report.delegate,
            "sessionDatabase": .string(device.databaseTrouble.map { "\($0)" } ?? "available"),
            "awaitingReply": .integer(Int64(device.outstandingMessages)),
            "waiting": [
                "transfersOut": .integer(Int64(device.pendingTransfers)),
                "transfersIn": .integer(Int64(device.pendingArrivals)),
                "repliesAwaited": .integer(Int64(device.outstandingMessages)),
                "repliesOwed": .integer(Int64(device.openReplies)),
            ],
            "troubles": report.troubles,
            "databases": .array(
                DatabaseHealth.process.all.map {
                    ["path": .string($0.path), "trouble": .string("\($0)"), "brief": .string($0.brief)]
                }),
        ]
    }
}

extension Double {
    fileprivate func rounded(toPlaces places: Int) -> Double {
        let factor = pow(10, Double(places))
        return (self * factor).rounded() / factor
    }
}
