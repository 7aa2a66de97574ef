import Storage

extension DatabaseFile {
    /// Runs `body` as ``use(_:)`` does, with the errors of stores.
    func serve<Result: Sendable>(
        _ body: @Sendable (Database) throws(DatabaseError) -> Result
    ) throws(StoreError) -> Result {
        try StoreError.of { () throws(DatabaseError) in try use(body) }
    }
}
