package import PostgreSQLRules
package import RecordStorage

/// A store in a server, which can be asked about that.
package protocol ServerRecordStore: RecordStore {
    /// Returns the state of the server.
    func report() throws(StoreError) -> ServerReport
}
