import PostgreSQLRules
import RecordStorage

/// The failure of one attempt of an operation.
enum OperationFailure: Error {
    /// The server's or the connection's, which decides how to go on.
    case server(ServerFailure)
    /// One that another attempt does not change.
    case store(StoreError)
}
