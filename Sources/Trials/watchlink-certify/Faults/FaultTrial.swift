/// Faults of connections, processes and the server.
struct FaultTrial {
    let server: LocalServer
    let seconds: Double

    func run(_ certification: inout Certification) throws {}
}
