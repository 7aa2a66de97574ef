import DatabaseServers
import Foundation
import Glibc
import Processes
import RecordStorage

/// Client processes that are killed with SIGKILL before they send, after they sent, and before the answer.
struct KillTrial {
    let server: LocalServer
    let relay: Relay

    /// Kills a client at one byte after the other.
    ///
    /// - Returns: The number of kills.
    func run(until budget: FaultBudget) throws -> Int {
        let table = FaultTable("kill", server)
        let run = FaultBudget.Run(budget)
        var (kills, last) = (0, 0)
        let first = try table.store(server.url, host: "first")
        _ = try FaultTable.insert(1, into: first)
        while !run.isOver(after: kills) {
            relay.expect(nil)
            let victim = try BackgroundProcess(
                "victim", executable: URL(filePath: "/proc/self/exe").resolvingSymlinksInPath(),
                arguments: [LocalServer.url(relay.sockets), "--insert-until-killed", table.kind.plural],
                mergesOutput: true)
            guard victim.waitForLines(containing: "confirmed", within: .seconds(20)) else {
                victim.kill()
                throw FaultFailure("a client did not insert: \(victim.lines.suffix(3))")
            }
            // A place in one of the next insertions, which are of about 700 bytes to the server, 4,000 with a file, and 300 back.
            let direction = Relay.Direction.allCases[kills % 2]
            let bytes = relay.passed(direction) + .random(in: 0..<(direction == .toServer ? 10_000 : 3_000))
            relay.expect(Relay.Plan(direction: direction, bytes: bytes, fault: .kill(victim)))
            guard victim.waitForEnd(within: .seconds(20)) else {
                victim.kill()
                throw FaultFailure("a client was not killed: \(victim.lines.suffix(3))")
            }
            kills += 1
            let numbers = victim.lines.compactMap { Int($0.split(separator: " ").dropFirst().first ?? "") }
            last = max(last, numbers.max() ?? 0)
            guard !victim.lines.contains(where: { $0.hasSuffix("false") }) else {
                throw FaultFailure("a batch met a conflict: \(victim.lines.suffix(3))")
            }
        }
        // All that was confirmed is there, and what the last victim sent is there once, or not at all.
        try FaultTable.expectThere(1...max(last, 1), in: first)
        _ = try FaultTable.insert(last + 1, into: first)
        try table.expect((last + 1) * 3)
        return kills
    }
}
