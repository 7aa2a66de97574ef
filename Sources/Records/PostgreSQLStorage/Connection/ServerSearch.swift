#if PostgreSQL
    internal import CPostgreSQL
    import Glibc
    import Foundation
    import PostgreSQLRules
    import RecordStorage

    /// The search for a server of the address that accepts changes.
    struct ServerSearch {
        private let settings: PostgreSQLSettings
        private let parameters: [String: String]
        private let list: ServerList
        /// True once a server, or a pooler before it, has refused session settings.
        private var isPooled = false
        /// The server to try first: the last that answered.
        private var preferred = 0

        init(_ settings: PostgreSQLSettings) throws(StoreError) {
            self.settings = settings
            var given = try Self.parse(settings.address)
            if let passfile = settings.passfile { given["passfile"] = passfile }
            // Of the environment, because the list must be known here.
            for (name, variable) in [("host", "PGHOST"), ("hostaddr", "PGHOSTADDR"), ("port", "PGPORT")]
            where given[name] == nil { given[name] = getenv(variable).map { String(cString: $0) } }
            guard
                let list = ServerList(
                    host: given["host"] ?? "", hostAddress: given["hostaddr"] ?? "", port: given["port"] ?? "")
            else {
                throw StoreError(
                    .refused,
                    "\(settings.address) has a different number of hosts and ports; give each host its port, as in HOST1:5432,HOST2:5432"
                )
            }
            self.list = list
            // Not what the operator has set, nor libpq's own: no session that only reads, and no waiting for a dead
            // network.
            let usual = [
                "target_session_attrs": "read-write", "fallback_application_name": "watchlink", "connect_timeout": "2",
                "tcp_user_timeout": "\(Int(settings.statementLimit / .milliseconds(1)))", "keepalives_idle": "5",
                "keepalives_interval": "2", "keepalives_count": "3", "client_encoding": "UTF8",
            ]
            parameters = usual.merging(given) { $1 }
        }

        private static func parse(_ address: ServerAddress) throws(StoreError) -> [String: String] {
            var message: UnsafeMutablePointer<CChar>?
            guard let options = PQconninfoParse(address.url, &message) else {
                // Its text may repeat part of the URL, and so of a misplaced password.
                PQfreemem(message)
                throw StoreError(
                    .refused,
                    "the database's URL is none that libpq understands; write postgresql://USER@HOST:PORT/NAME?sslmode=verify-full, with “%40” for an “@” in a name"
                )
            }
            defer { PQconninfoFree(options) }
            var (given, option) = ([String: String](), options)
            while let keyword = option.pointee.keyword {
                if let value = option.pointee.val { given[String(cString: keyword)] = String(cString: value) }
                option += 1
            }
            return given
        }

        /// Connects to the first server that accepts changes.
        mutating func connect() throws(ServerFailure) -> ServerConnection {
            var first: ServerFailure?
            for offset in list.servers.indices {
                let place = (preferred + offset) % list.servers.count
                do throws(ServerFailure) {
                    let connection = try connect(to: list.servers[place])
                    preferred = place
                    return connection
                } catch {
                    // A refusal says more than an outage of another server.
                    if first == nil || first?.response == .reconnect { first = error }
                }
            }
            throw first ?? ServerFailure(state: nil, message: "no server", isConnectionLost: true)
        }

        private mutating func connect(to server: ServerList.Server) throws(ServerFailure) -> ServerConnection {
            if !isPooled {
                do throws(ServerFailure) {
                    return try connection(to: server, isPooled: false)
                } catch  where error.state == "08P01" {
                    isPooled = true
                }
            }
            return try connection(to: server, isPooled: true)
        }

        private func connection(
            to server: ServerList.Server, isPooled: Bool
        ) throws(ServerFailure) -> ServerConnection {
            var parameters = parameters
            parameters["host"] = server.host.isEmpty ? nil : server.host
            parameters["hostaddr"] = server.hostAddress.isEmpty ? nil : server.hostAddress
            parameters["port"] = server.port.isEmpty ? nil : server.port
            if !isPooled {
                // The server must give up before the client does, so that no lock outlives the connection.
                let milliseconds = max(settings.statementLimit / .milliseconds(1) * 0.9, 100).rounded()
                let own =
                    ["statement_timeout", "lock_timeout", "idle_in_transaction_session_timeout"]
                    .map { "-c \($0)=\(Int(milliseconds))" }.joined(separator: " ")
                parameters["options"] = parameters["options"].map { "\(own) \($0)" } ?? own
            }
            return try ServerConnection(
                parameters, server: server.description, isPooled: isPooled,
                connectionLimit: settings.connectionLimit, limit: settings.statementLimit)
        }
    }
#endif
