import Foundation
import Locking
import Metrics

/// The state of this process's connections to database servers, for status and metrics.
final class ServerHealth: Sendable {
    static let process = ServerHealth(.process)

    /// The state of one application's records.
    private struct State {
        /// The time of the first failure since the last success; nil while the server works.
        var failedSince: Date?
        var connections = 0
        var losses = 0
    }

    private let states = Mutex<[String: State]>([:])
    private let seconds: Histogram
    private let connected: Counter
    private let lost: Counter

    /// - Parameter registry: Gets the metrics.
    init(_ registry: MetricRegistry) {
        seconds = registry.histogram(
            "watchlink_database_server_seconds", help: "Time of a use of the database server, with all attempts.",
            bounds: Histogram.latencies, label: "application")
        connected = registry.counter(
            "watchlink_database_server_connections_total",
            help: "Connections to the database server; all but the first two are reconnects.", labels: "application")
        lost = registry.counter(
            "watchlink_database_server_failures_total",
            help: "Connections to the database server that broke or could not be made.", labels: "application")
        registry.gauge(
            "watchlink_database_server_up", help: "1 if the last use of the database server succeeded, else 0."
        ) { [weak self] in
            self?.values { $0.failedSince == nil ? 1 : 0 } ?? []
        }
        registry.gauge(
            "watchlink_database_server_outage_seconds",
            help: "Time since the first failure of the database server; 0 if its last use succeeded."
        ) { [weak self] in
            self?.values { $0.failedSince.map { max(0, Date().timeIntervalSince($0)) } ?? 0 } ?? []
        }
    }

    private func values(_ value: (State) -> Double) -> [(labels: [(String, String)], value: Double)] {
        states.withLock { states in
            states.sorted { $0.key < $1.key }.map { ([("application", $0.key)], value($0.value)) }
        }
    }

    /// Records that a connection was made.
    func connected(_ application: String) {
        states.withLock { $0[application, default: State()].connections += 1 }
        connected.add(1, application)
    }

    /// Records that a connection broke, or could not be made.
    func lost(_ application: String) {
        states.withLock { $0[application, default: State()].losses += 1 }
        lost.add(1, application)
    }

    /// Records a use of the server.
    ///
    /// - Returns: True if it is the first failure, or the first success after failures.
    func used(_ application: String, isSuccess: Bool, seconds: Double) -> Bool {
        self.seconds.observe(seconds, application)
        return states.withLock { states in
            var state = states[application, default: State()]
            defer { states[application] = state }
            let wasFailing = state.failedSince != nil
            if isSuccess { state.failedSince = nil } else { state.failedSince = state.failedSince ?? Date() }
            return wasFailing == isSuccess
        }
    }

    /// Returns the time of the first failure, and the numbers of connections and of losses.
    func summary(_ application: String) -> (failedSince: Date?, connections: Int, losses: Int) {
        states.withLock { states in
            let state = states[application] ?? State()
            return (state.failedSince, state.connections, state.losses)
        }
    }
}
