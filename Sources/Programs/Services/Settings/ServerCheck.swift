import PostgreSQLStorage
import RecordSync

/// The check of a configured server before a start: it connects, and changes nothing there.
struct ServerCheck {
    /// The longest time for one application. Two seconds: a server that does not answer by then counts as out of reach.
    private static let patience: Duration = .seconds(2)

    /// The errors with which the host would start and store nothing until a person acts.
    private(set) var mistakes: [StoreError] = []
    /// The errors that may pass: the host starts, and goes on by itself when the server is back.
    private(set) var outages: [StoreError] = []

    init(_ settings: ServiceSettings, _ applications: [RecordApplication]) {
        guard var server = settings.database.server else { return }
        server.connectionLimit = min(server.connectionLimit, Self.patience)
        (server.statementLimit, server.queryLimit, server.patience) = (Self.patience, nil, Self.patience)
        for application in applications {
            do throws(StoreError) {
                _ = try SharedStore.probe(application.kind, settings: server)
            } catch {
                if error.kind == .unavailable { outages.append(error) } else { mistakes.append(error) }
            }
        }
    }
}
