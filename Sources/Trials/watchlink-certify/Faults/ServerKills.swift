import DatabaseServers
import Foundation
import Glibc
import Locking
import RecordStorage

/// Hosts that insert while the server is killed and started again.
final class ServerKills: Sendable {
    /// The ways in which a server ends.
    enum Way: CaseIterable {
        case backends
        case immediate
        case kill
    }

    private struct State {
        var isOver = false
        var confirmed: [Int: Int] = [:]
        var failures: [String] = []
        var longest = Duration.zero
    }

    private let state = Mutex(State())
    private let end = DispatchSemaphore(value: 0)
    private let hosts: Int
    private let table: FaultTable

    init(_ server: LocalServer, hosts: Int) {
        self.hosts = hosts
        table = FaultTable("server", server)
    }

    /// Starts the hosts, each a thread with a store of its own.
    ///
    /// - Parameter url: The servers.
    func start(_ url: String) throws {
        for host in 0..<hosts {
            let store = try table.store(url, host: "host \(host)")
            Thread.detachNewThread { [self] in
                insert(host, store)
                store.close()
                end.signal()
            }
        }
    }

    private func insert(_ host: Int, _ store: any RecordStore) {
        var number = 1
        while !state.withLock({ $0.isOver }) {
            let start = ContinuousClock.now
            do throws(StoreError) {
                let outcomes = try FaultTable.insert(number, host: host, into: store)
                let isStored = outcomes.allSatisfy { if case .stored = $0 { true } else { false } }
                state.withLock { state in
                    if !isStored { state.failures.append("host \(host), batch \(number): \(outcomes)") }
                    state.confirmed[host] = number
                    state.longest = max(state.longest, ContinuousClock.now - start)
                }
                number += 1
            } catch {
                state.withLock { $0.failures.append("host \(host): \(error)") }
            }
        }
    }

    /// The number of batches that were confirmed so far.
    var confirmed: Int { state.withLock { $0.confirmed.values.reduce(0, +) } }

    /// The longest time of one insertion.
    var longest: Duration { state.withLock { $0.longest } }

    /// Waits until each host has inserted again, so that the next fault meets work.
    func waitForProgress() throws {
        let before = state.withLock { $0.confirmed }
        let deadline = ContinuousClock.now + .seconds(60)
        while ContinuousClock.now < deadline {
            let now = state.withLock { $0.confirmed }
            if (0..<hosts).allSatisfy({ (now[$0] ?? 0) > (before[$0] ?? 0) + 1 }) { return }
            usleep(2_000)
        }
        throw FaultFailure("not every host inserted in a minute: \(state.withLock { $0.failures.suffix(3) })")
    }

    /// Ends the hosts, and compares what they were told with the rows.
    func finish(_ url: String) throws {
        state.withLock { $0.isOver = true }
        for _ in 0..<hosts { end.wait() }
        let (confirmed, failures) = state.withLock { ($0.confirmed, $0.failures) }
        guard failures.isEmpty else {
            throw FaultFailure("\(failures.count) failures, such as \(failures[0])")
        }
        try table.expect(confirmed.values.reduce(0, +) * 3)
        let store = try table.store(url, host: "reader")
        for (host, last) in confirmed { try FaultTable.expectThere(1...max(last, 1), host: host, in: store) }
    }

    /// Kills the server in each way, again and again. Returns the number of kills.
    ///
    /// - Parameter url: The way to the server; nil for the direct one.
    func run(until budget: FaultBudget, through url: String? = nil) throws -> Int {
        let server = table.server
        let url = url ?? server.url
        try start(url)
        let run = FaultBudget.Run(budget)
        var kills = 0
        while !run.isOver(after: kills) {
            try waitForProgress()
            switch Way.allCases[kills % Way.allCases.count] {
            case .backends: _ = try server.killBackends()
            case .immediate:
                try server.end(by: SIGQUIT)
                try server.start()
            case .kill:
                try server.end(by: SIGKILL)
                try server.start()
            }
            kills += 1
        }
        try waitForProgress()
        try finish(url)
        return kills
    }
}
