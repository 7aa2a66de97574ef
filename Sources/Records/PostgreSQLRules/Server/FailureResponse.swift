package import RecordStorage

/// The way to go on after a failure, by class of SQLSTATE.
package enum FailureResponse: Equatable, Sendable {
    /// Run the whole transaction again on the same connection: the server undid it.
    case retry
    /// Run it again on the same connection, without prepared statements: a pooler is between, which hands out another
    /// session for each transaction.
    case retryUnprepared
    /// Connect again, with a growing pause: the server is out of reach, restarting, full, or no longer the primary.
    case reconnect
    /// Report it; trying again at once is no use.
    case report(StoreError.Kind)

    package init(to failure: ServerFailure) {
        guard let state = failure.state else {
            self = failure.isConnectionLost ? .reconnect : .report(.unavailable)
            return
        }
        self = Self.of(state) ?? (failure.isConnectionLost ? .reconnect : Self.ofClass(state.prefix(2)))
    }

    /// Returns the response to one state; nil if its class decides.
    private static func of(_ state: String) -> FailureResponse? {
        switch state {
        // Serialisation failure, completion unknown, deadlock; lock not available; a limit of time.
        case "40001", "40003", "40P01", "55P03", "57014": .retry
        // A prepared statement that does not exist, or already exists.
        case "26000", "42P05": .retryUnprepared
        // Shutdown, crash, starting up, database dropped, idle too long; too many connections; read-only; idle in a
        // transaction.
        case "57P01", "57P02", "57P03", "57P05", "53300", "25006", "25P03": .reconnect
        // The database, the schema or a table does not exist.
        case "3D000", "3F000", "42P01", "57P04": .report(.displaced)
        case "XX001", "XX002": .report(.damaged)
        // A user, a password or a certificate: the server closes the connection with it.
        case "28000", "28P01": .report(.refused)
        default: nil
        }
    }

    private static func ofClass(_ prefix: Substring) -> FailureResponse {
        switch prefix {
        case "08": .reconnect
        case "40": .retry
        // Resources, interventions, the server's system, internal errors.
        case "53", "57", "58", "XX": .report(.unavailable)
        default: .report(.refused)
        }
    }
}
