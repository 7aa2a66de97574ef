import Configuration
import Processes

/// Faults of connections, processes and the server.
struct FaultTrial {
    let server: LocalServer
    let seconds: Double

    func run(_ certification: inout Certification) throws {
        let relay = try Relay(in: "\(server.scratch.path)/relay", to: server.sockets)
        let sweep = CutSweep(server: server, relay: relay)
        var (cuts, stalls) = (CutSweep.Outcome(), CutSweep.Outcome())
        try certification.run("cuts", "connections that are cut after any byte lose nothing and store nothing twice") {
            cuts = try sweep.run(.cut, seconds: seconds * 0.35)
        }
        try certification.note("cuts", .integer(Int64(cuts.points)), "       \(cuts.points) cuts")
        try certification.run("stalls", "neither do connections that stall") {
            stalls = try sweep.run(.stall, seconds: seconds * 0.15)
        }
        try certification.note("stalls", .integer(Int64(stalls.points)), "       \(stalls.points) stalls")
        var kills = 0
        try certification.run("client-kills", "neither do clients that are killed while they insert") {
            kills = try KillTrial(server: server, relay: relay).run(seconds: seconds * 0.25)
        }
        try certification.note("clientKills", .integer(Int64(kills)), "       \(kills) kills of a client")
        try certification.run("server-kills", "neither does a server whose processes are killed, or all of it") {
            kills = try ServerKills(server, hosts: 4).run(seconds: seconds * 0.25)
        }
        try certification.note("serverKills", .integer(Int64(kills)), "       \(kills) kills of the server")
    }
}
