import DatabaseServers
import Foundation
import PostgreSQLStorage
import RecordStorage

/// Connections that are cut or stalled after every number of bytes, in both directions.
struct CutSweep {
    let server: LocalServer
    let relay: Relay

    /// Cuts or stalls a host's connection during its first use and during insertions.
    ///
    /// - Parameter budget: The end; the step between points is as small as it allows, and after every byte it begins anew.
    /// - Returns: The number of points at which a connection ended.
    func run(_ fault: Relay.Fault, until budget: FaultBudget) throws -> Int {
        let table = FaultTable("cut", server)
        let url = LocalServer.url(relay.sockets)
        var isStall = false
        if case .stall = fault { isStall = true }
        let limit: Duration = isStall ? .milliseconds(150) : .seconds(5)
        // The bytes of a whole conversation: connecting twice, registering, inserting.
        relay.expect(nil)
        let first = try table.store(url, host: "host", limit: limit)
        _ = try FaultTable.insert(0, into: first)
        first.close()
        let run = FaultBudget.Run(budget)
        var (points, number) = (0, 1)
        let lengths = Relay.Direction.allCases.map { ($0, relay.passed($0)) }
        var round = 0
        // Rounds of a coarse step, each between the points of those before: the budget decides how fine it becomes.
        let steps = [64, 16, 4, 1]
        while !run.isOver(after: points) {
            for (direction, length) in lengths {
                for bytes in stride(from: round == 0 ? 0 : steps[round] / 2, through: length + 64, by: steps[round])
                where round == 0 || bytes % steps[round - 1] != 0 {
                    guard !run.isOver(after: points) else { break }
                    relay.expect(Relay.Plan(direction: direction, bytes: bytes, fault: fault))
                    let store = try table.store(url, host: "host", limit: limit)
                    let outcomes = try insert(number, into: store, "\(fault) \(direction) after \(bytes) bytes")
                    guard outcomes.allSatisfy({ if case .stored = $0 { true } else { false } }) else {
                        throw FaultFailure("\(fault) \(direction) after \(bytes) bytes: \(outcomes)")
                    }
                    if relay.hasStruck { points += 1 }
                    relay.expect(nil)
                    try FaultTable.expectThere(number...number, in: store)
                    store.close()
                    number += 1
                }
            }
            round = (round + 1) % steps.count
        }
        try table.expect(number * 3)
        return points
    }

    private func insert(
        _ number: Int, into store: any RecordStore, _ place: String
    ) throws -> [InsertOutcome] {
        do {
            return try FaultTable.insert(number, into: store)
        } catch {
            throw FaultFailure("\(place): \(error)")
        }
    }
}
