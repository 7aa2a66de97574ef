/// What each service keeps in the directory unless its configuration moves it.
///
/// A service is named by its role: “host” or “companion”.
extension StateDirectory {
    /// Transfers, contexts, the ledger, and files that were received.
    public func device(of service: String) -> String { path(of: service) }
    /// The database of transfers, contexts and the ledger.
    public func session(of service: String) -> String { device(of: service) + "/session.sqlite" }
    /// The device's identifier.
    public func identity(of service: String) -> String { path(of: service + ".device") }
    public func log(of service: String) -> String { path(of: service + ".log") }
    /// What it was started with.
    public func options(of service: String) -> String { path(of: service + ".options") }
    public func controlSocket(of service: String) -> String { path(of: service + ".control.sock") }
    /// The quizzes that it stores or delivers.
    public func database(of service: String) -> String {
        path(of: service == "host" ? "quizzes.sqlite" : "outbox.sqlite")
    }

    /// All of these: another service in this directory must leave them alone.
    public func files(of service: String) -> [String] {
        [
            device(of: service), identity(of: service), log(of: service), options(of: service),
            controlSocket(of: service), database(of: service),
        ]
    }

    public var hostControlSocket: String { controlSocket(of: "host") }
    public var companionControlSocket: String { controlSocket(of: "companion") }
    /// Where the host listens for companions.
    public var linkSocket: String { path(of: "link.sock") }

    /// The databases of both services; not all need exist.
    public var databases: [String] {
        let services = ["host", "companion"]
        return services.map(database(of:)) + services.map(session(of:))
    }
}
