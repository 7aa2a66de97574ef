/// The state of a server as a store sees it, for people and monitoring.
package struct ServerReport: Equatable, Sendable {
    /// A server that follows this one.
    package struct Replica: Equatable, Sendable {
        package let name: String
        /// The state of the stream: “streaming”, “catchup” …; empty if this user may not see it.
        package let state: String
        /// True if commits wait for it.
        package let isSynchronous: Bool
        /// The seconds by which its data are behind; nil if the server does not say.
        package let lag: Double?

        package init(name: String, state: String, isSynchronous: Bool, lag: Double?) {
            self.name = name
            self.state = state
            self.isSynchronous = isSynchronous
            self.lag = lag
        }
    }

    /// Host and port, as the URL has them.
    package let server: String
    /// The server's version, such as “15.18”.
    package let version: String
    package let isPooled: Bool
    package let isEncrypted: Bool
    /// The version of the kind's tables; nil if there are none yet.
    package let schemaVersion: Int64?
    /// The hosts that ever used the kind's table.
    package let hosts: Int64
    /// The records of all hosts.
    package let records: Int64
    /// The replicas; empty if there are none, or if the engine has no such view.
    package let replicas: [Replica]

    package init(
        server: String, version: String, isPooled: Bool, isEncrypted: Bool, schemaVersion: Int64?, hosts: Int64,
        records: Int64, replicas: [Replica]
    ) {
        self.server = server
        self.version = version
        self.isPooled = isPooled
        self.isEncrypted = isEncrypted
        self.schemaVersion = schemaVersion
        self.hosts = hosts
        self.records = records
        self.replicas = replicas
    }
}
