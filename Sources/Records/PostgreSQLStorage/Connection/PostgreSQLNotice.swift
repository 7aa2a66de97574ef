/// A change in the relation to the server, for logs.
package enum PostgreSQLNotice: Sendable, Equatable, CustomStringConvertible {
    /// A connection was made.
    case connected(server: String, isPooled: Bool)
    /// A connection was lost, or could not be made; the store tries again.
    case lost(reason: String)
    /// The server knows fewer records than it confirmed to this host: it is an older copy, and records are missing.
    case wentBack(confirmed: Int64, found: Int64)

    package var description: String {
        switch self {
        case .connected(let server, let isPooled): "connected to \(server)\(isPooled ? " through a pooler" : "")"
        case .lost(let reason): "lost: \(reason)"
        case .wentBack(let confirmed, let found):
            "the server is an older copy: it confirmed \(confirmed), and now knows \(found)"
        }
    }
}
