/// The default paths of each service's files.
///
/// A service is named by its role: “host” or “companion”.
extension StateDirectory {
    /// The directory of transfers, contexts, the ledger and received files.
    public func device(of service: String) -> String { path(of: service) }
    /// The database of transfers, contexts and the ledger.
    public func session(of service: String) -> String { device(of: service) + "/session.sqlite" }
    /// The device's identifier.
    public func identity(of service: String) -> String { path(of: service + ".device") }
    /// The log file.
    public func log(of service: String) -> String { path(of: service + ".log") }
    /// The options of the last start; see ``StartOptions``.
    public func options(of service: String) -> String { path(of: service + ".options") }
    /// The control socket.
    public func controlSocket(of service: String) -> String { path(of: service + ".control.sock") }
    /// The database of the quizzes that a host stores or a companion delivers.
    public func database(of service: String) -> String {
        path(of: service == "host" ? "quizzes.sqlite" : "outbox.sqlite")
    }

    /// All these paths; another service in this directory must not use them.
    public func files(of service: String) -> [String] {
        [
            device(of: service), identity(of: service), log(of: service), options(of: service),
            controlSocket(of: service), database(of: service),
        ]
    }

    /// The host's control socket.
    public var hostControlSocket: String { controlSocket(of: "host") }
    /// The companion's control socket.
    public var companionControlSocket: String { controlSocket(of: "companion") }
    /// The socket on which the host listens for companions.
    public var linkSocket: String { path(of: "link.sock") }

    /// The databases of both services; some may not exist.
    public var databases: [String] {
        let services = ["host", "companion"]
        return services.map(database(of:)) + services.map(session(of:))
    }
}
