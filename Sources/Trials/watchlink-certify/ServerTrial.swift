import Configuration
import DatabaseServers
import PostgreSQLRules
import PostgreSQLStorage
import Processes
import StoreConformance

/// The certification of a server that this program starts.
struct ServerTrial {
    let cases: [ConformanceCase]
    /// The end of faults; nil for none.
    let faults: FaultBudget?

    func run(_ certification: inout Certification) throws {
        ScratchDirectory.removeAllOnSignals()
        let scratch = try ScratchDirectory()
        let server = try LocalServer("server", in: scratch)
        try server.initialise()
        try server.start()
        let version = try server.query("SHOW server_version")
        try certification.note("server", .string(version), "PostgreSQL \(version)")
        let settings = try PostgreSQLSettings(address: ServerAddress(server.url), host: "certify")
        try certification.run(cases, on: WatchLinkCertify.stores(settings))
        try ServerPromises(server: server).run(&certification)
        if SecurityPromises.isPossible {
            try SecurityPromises(in: scratch).run(&certification)
        } else {
            try certification.note("encryption", .null, "       openssl is not installed: encryption not tried")
        }
        if let faults {
            try FaultTrial(cases: cases, server: server, budget: faults).run(&certification)
        }
        try server.end(by: 3)
    }
}
