import Configuration

/// The database servers that a host's status reports, in words.
struct DatabaseServer {
    /// The application whose records are there; its plural name.
    let application: String
    private let state: JSONValue

    /// Returns the servers of a host's applications, in the order of their names.
    static func all(in status: JSONValue) -> [DatabaseServer] {
        var servers: [DatabaseServer] = []
        if let first = status["databaseServer"] {
            servers.append(DatabaseServer(application: status["application"]?.string ?? "quizzes", state: first))
        }
        if case .object(let others)? = status["applications"] {
            servers += others.sorted { $0.key < $1.key }.compactMap { plural, other in
                other["databaseServer"].map { DatabaseServer(application: plural, state: $0) }
            }
        }
        return servers
    }

    private init(application: String, state: JSONValue) { (self.application, self.state) = (application, state) }

    private var isEncrypted: Bool { state["isEncrypted"]?.boolean == true }
    /// A socket of this machine needs no encryption.
    private var isLocal: Bool {
        let server = state["server"]?.string ?? ""
        return server.hasPrefix("/") || server == "the local server"
            || ["localhost", "127.0.0.1", "::1"].contains { server == $0 || server.hasPrefix("\($0):") }
    }

    /// One line for a person.
    var summary: String {
        guard let server = state["server"]?.string else {
            let since = state["failedSince"]?.string.map { " since \($0)" } ?? ""
            return "\(state["url"]?.string ?? "?"), out of use\(since)"
        }
        // Debian's versions have the package's behind them.
        let version = state["version"]?.string?.split(separator: " ").first ?? "?"
        let hosts = state["hosts"]?.integer ?? 0
        var words = ["\(server), version \(version)"]
        words.append(isEncrypted ? "encrypted" : isLocal ? "on this machine" : "not encrypted")
        if state["isPooled"]?.boolean == true { words.append("through a pooler") }
        words.append("tables of version \(state["schemaVersion"]?.integer.map(String.init) ?? "none")")
        words.append("\(hosts) host\(hosts == 1 ? "" : "s")")
        words.append("\(state["failures"]?.integer ?? 0) failed connections")
        switch replicas {
        case nil: words.append("replicas not known: the server does not tell")
        case let replicas? where replicas.isEmpty: words.append("no replica")
        case let replicas?: words += replicas.map(\.text)
        }
        return words.joined(separator: ", ")
    }

    /// The replicas; nil if the server does not tell.
    private var replicas: [DatabaseReplica]? { state["replicas"]?.array?.map(DatabaseReplica.init) }

    /// Returns the findings of an examination. That the server is out of use is reported with its error elsewhere.
    var findings: [Finding] {
        var findings: [Finding] = []
        let subject = "server of \(application)"
        if let trouble = state["passfileTrouble"]?.string {
            findings.append(.bad("passfile", trouble, "correct it; the host tries again by itself"))
        } else if let passfile = state["passfile"]?.string {
            findings.append(.good("passfile", "\(passfile), private to its owner"))
        }
        guard state["server"]?.string != nil else { return findings }
        findings.append(.good(subject, summary))
        if !isEncrypted, !isLocal {
            findings.append(
                .odd(subject, "the connection is not encrypted", "add sslmode=verify-full to the URL"))
        }
        let replicas = replicas ?? []
        for replica in replicas {
            guard let trouble = replica.trouble else { continue }
            findings.append(.odd(subject, trouble.text, trouble.advice))
        }
        if !replicas.isEmpty, replicas.allSatisfy(\.isVisible), !replicas.contains(where: \.isSynchronous) {
            findings.append(
                .odd(
                    subject, "no replica is synchronous: a fail-over may lose records",
                    "set synchronous_standby_names on the primary"))
        }
        return findings
    }
}
