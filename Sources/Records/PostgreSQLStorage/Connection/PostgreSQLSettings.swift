package import PostgreSQLRules

/// The way to a PostgreSQL server, and the patience with it.
package struct PostgreSQLSettings: Sendable, Equatable {
    /// The URL of the servers: of several, the one that accepts changes is used.
    package var address: ServerAddress
    /// The path of the file with the password, as psql has it; nil for libpq's usual places.
    package var passfile: String?
    /// The name of this host in the store, the same after a restart and different from all others'.
    package var host: String
    /// The longest time to connect to one server. Two seconds: a server that does not answer by then is passed over.
    package var connectionLimit: Duration = .seconds(2)
    /// The longest time for a statement or a batch; then the connection is given up. Ten seconds: a batch of 32 MiB
    /// takes less than one.
    package var statementLimit: Duration = .seconds(10)
    /// The longest time for a query, and for all attempts of one; nil for the limits of changes.
    package var queryLimit: Duration?
    /// The time after which no further attempt of one operation begins. Ten seconds: a fail-over takes about as long.
    package var patience: Duration = .seconds(10)

    /// Creates settings.
    package init(address: ServerAddress, passfile: String? = nil, host: String) {
        self.address = address
        self.passfile = passfile
        self.host = host
    }

    /// The same server, with the limits of queries.
    var ofQueries: PostgreSQLSettings {
        guard let queryLimit else { return self }
        var settings = self
        settings.connectionLimit = min(connectionLimit, queryLimit)
        settings.statementLimit = queryLimit
        settings.patience = queryLimit
        return settings
    }
}
