import DatabaseServers
import Foundation
import Glibc
import Processes

/// A primary that dies and its replica that is promoted, while hosts insert.
struct FailOver {
    /// The time after the promotion in which every host must insert again. One second: the longest pause between
    /// attempts is half of that.
    private static let allowance: Duration = .seconds(1)

    let scratch: ScratchDirectory
    let round: Int

    /// Kills the primary and promotes the replica.
    ///
    /// - Returns: The time of the promotion, and the longest time of an insertion.
    func run() throws -> (promotion: Duration, outage: Duration) {
        let primary = try LocalServer("primary\(round)", in: scratch)
        let replica = try LocalServer("replica\(round)", in: scratch)
        try primary.start(withReplica: replica)
        let url = LocalServer.url("\(primary.sockets),\(replica.sockets)")
        let hosts = ServerKills(replica, hosts: 4)
        try hosts.start(url)
        try hosts.waitForProgress()
        let start = ContinuousClock.now
        try primary.end(by: SIGKILL)
        try replica.promote()
        let promotion = ContinuousClock.now - start
        try hosts.waitForProgress()
        let outage = hosts.longest
        try hosts.finish(url)
        try replica.end(by: SIGQUIT)
        guard outage <= promotion + Self.allowance else {
            throw FaultFailure("an insertion took \(outage), and the promotion \(promotion)")
        }
        return (promotion, outage)
    }
}
