import PostgreSQLRules
import RecordStorage

/// The failure of one attempt of an operation.
enum OperationFailure: Error {
    /// The server's or the connection's, which decides how to go on.
    case server(ServerFailure)
    /// One that another attempt does not change.
    case store(StoreError)

    /// Runs a call whose failures are the server's or the connection's.
    static func ofServer<Answer>(
        _ call: () throws(ServerFailure) -> Answer
    ) throws(OperationFailure) -> Answer {
        do throws(ServerFailure) {
            return try call()
        } catch {
            throw .server(error)
        }
    }

    /// Runs a call whose failures another attempt does not change.
    static func ofStore<Answer>(_ call: () throws(StoreError) -> Answer) throws(OperationFailure) -> Answer {
        do throws(StoreError) {
            return try call()
        } catch {
            throw .store(error)
        }
    }
}
