import Configuration
import DeviceControl
import Foundation
import RecordSync
import ServiceRuntime
import WatchConnectivity

/// The status that both services report on the control socket.
enum StatusReport {
    static func common(
        service: String, session: WCSession, history: MessageHistory, started: Date
    ) -> [String: JSONValue] {
        awaitNotifications()
        return ProcessReport.of(session.simulator, started: started).merging([
            "service": .string(service),
            "version": .string(Version.number),
            "commit": .string(Version.commit),
            "messages": .object(
                Dictionary(
                    uniqueKeysWithValues: DeliveryStatus.allCases.map {
                        ($0.rawValue.lowercased(), JSONValue.integer(Int64(history.count(of: $0))))
                    })),
        ]) { $1 }
    }

    /// Adds the states of the applications: that of the first one at the top, the others by their plural names.
    static func add(
        _ states: [(application: RecordApplication, state: [String: JSONValue])], to report: inout [String: JSONValue]
    ) {
        guard let first = states.first else { return }
        report.merge(first.state) { $1 }
        report["application"] = .string(first.application.kind.plural)
        let others = states.dropFirst()
        guard !others.isEmpty else { return }
        report["applications"] = .object(
            Dictionary(others.map { ($0.application.kind.plural, .object($0.state)) }) { first, _ in first })
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
