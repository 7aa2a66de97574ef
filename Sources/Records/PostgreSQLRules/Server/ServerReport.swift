/// The state of a server as a store sees it, for people and monitoring.
package struct ServerReport: Equatable, Sendable {
    /// A server that follows this one.
    package struct Replica: Equatable, Sendable {
        package let name: String
        /// The state of the stream: “streaming”, “catchup” …; empty if this user may not see it.
        package let state: String
        /// True if commits wait for it.
        package let isSynchronous: Bool
        /// The bytes of the log that it has not applied; nil if this user may not see it.
        package let bytesBehind: Int64?
        /// The seconds by which its data were behind when it last applied something; nil if the server does not say, as
        /// for one that has applied everything for a while.
        package let secondsBehind: Double?

        package init(
            name: String, state: String, isSynchronous: Bool, bytesBehind: Int64?, secondsBehind: Double?
        ) {
            self.name = name
            self.state = state
            self.isSynchronous = isSynchronous
            self.bytesBehind = bytesBehind
            self.secondsBehind = secondsBehind
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
    /// The replicas; nil if the engine does not tell, or not to this user.
    package let replicas: [Replica]?

    package init(
        server: String, version: String, isPooled: Bool, isEncrypted: Bool, schemaVersion: Int64?, hosts: Int64,
        records: Int64, replicas: [Replica]?
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
