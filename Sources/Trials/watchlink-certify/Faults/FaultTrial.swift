import Configuration
import DatabaseServers
import PostgreSQLRules
import PostgreSQLStorage
import Processes
import StoreConformance

/// Faults of connections, processes and the server.
struct FaultTrial {
    let cases: [ConformanceCase]
    let server: LocalServer
    let budget: FaultBudget
    /// The seconds of the services' trial if the budget is a number. A minute: some kills of each kind.
    private static let serviceSeconds = 60.0

    func run(_ certification: inout Certification) throws {
        let relay = try Relay(in: "\(server.scratch.path)/relay", to: server.sockets)
        let sweep = CutSweep(server: server, relay: relay)
        var (cuts, stalls, kills, crashes) = (0, 0, 0, 0)
        try certification.run("cuts", "connections that are cut after any byte lose nothing and store nothing twice") {
            cuts = try sweep.run(.cut, until: budget.part(time: 0.3, points: 0.6))
        }
        try certification.note("cuts", .integer(Int64(cuts)), "       \(cuts) cuts")
        try certification.run("stalls", "neither do connections that stall") {
            stalls = try sweep.run(.stall, until: budget.part(time: 0.2, points: 0.2))
        }
        try certification.note("stalls", .integer(Int64(stalls)), "       \(stalls) stalls")
        try certification.run("client-kills", "neither do clients that are killed while they insert") {
            kills = try KillTrial(server: server, relay: relay).run(until: budget.part(time: 0.25, points: 0.17))
        }
        try certification.note("clientKills", .integer(Int64(kills)), "       \(kills) kills of a client")
        try certification.run("server-kills", "neither does a server whose processes are killed, or all of it") {
            crashes = try ServerKills(server, hosts: 4).run(until: budget.part(time: 0.25, points: 0.025))
        }
        try certification.note("serverKills", .integer(Int64(crashes)), "       \(crashes) kills of the server")
        try migration(&certification)
        try failOver(&certification)
        try services(&certification)
        try pooler(&certification)
    }

    private func migration(_ certification: inout Certification) throws {
        var records = 0
        try certification.run(
            "migration",
            "a file's records and deletions are copied into the server and back, while more arrive and it is killed"
        ) { records = try MigrationTrial(server).run() }
        try certification.note("migratedRecords", .integer(Int64(records)), "       \(records) records")
    }

    private func failOver(_ certification: inout Certification) throws {
        var (promotion, outage) = (Duration.zero, Duration.zero)
        try certification.run(
            "fail-over", "a replica that is promoted has everything, and hosts use it within a second"
        ) {
            (promotion, outage) = try FailOver(scratch: server.scratch, round: 1).run()
        }
        let seconds = (promotion / .seconds(1), outage / .seconds(1))
        try certification.note(
            "promotionSeconds", .number(seconds.0),
            "       promotion \(Self.text(promotion)), longest insertion \(Self.text(outage))")
        try certification.note("outageSeconds", .number(seconds.1), "")
    }

    private func services(_ certification: inout Certification) throws {
        var (quizzes, serverKills, hostKills) = (0, 0, 0)
        try certification.run(
            "services",
            "\(ServiceFleet.hosts) host services lose nothing and store nothing twice while they and the server are killed, and its replica is promoted"
        ) {
            (quizzes, serverKills, hostKills) = try ServiceFleet(in: server.scratch)
                .run(seconds: serviceTime, in: server.scratch)
        }
        try certification.note(
            "quizzes", .integer(Int64(quizzes)),
            "       \(quizzes) quizzes, \(serverKills) kills of the server, \(hostKills) of a host")
    }

    private var serviceTime: Double {
        guard case .seconds(let seconds) = budget.part(time: 0.2, points: 0) else { return Self.serviceSeconds }
        return seconds
    }

    private static func text(_ duration: Duration) -> String { "\(Int(duration / .milliseconds(1))) ms" }

    /// Runs the cases, and kills of the server's processes, through a pooler.
    private func pooler(_ certification: inout Certification) throws {
        guard let program = Pooler.program else {
            try certification.note("pooler", .null, "       PgBouncer is not installed: not tried")
            return
        }
        let pooler = try Pooler(program, before: server)
        try certification.note("pooler", .string("PgBouncer"), "Through PgBouncer in transaction mode:")
        let settings = try PostgreSQLSettings(address: ServerAddress(pooler.url), host: "certify")
        try certification.run(cases, on: WatchLinkCertify.stores(settings))
        try certification.run("server-kills", "nothing is lost through a pooler either") {
            _ = try ServerKills(server, hosts: 8)
                .run(until: budget.part(time: 0.1, points: 0.005), through: pooler.url)
        }
    }
}
