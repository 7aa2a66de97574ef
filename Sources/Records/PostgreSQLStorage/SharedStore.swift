package import PostgreSQLRules
package import RecordStorage

/// The store in a PostgreSQL server, if this program was built with it.
package enum SharedStore {
    /// True if this program was built with the trait PostgreSQL.
    package static var isBuiltIn: Bool {
        #if PostgreSQL
            true
        #else
            false
        #endif
    }

    /// The reason why a program without the trait has no such store, and the next step.
    package static let missing =
        "this program was built without PostgreSQL; build it with “swift build --traits PostgreSQL”, which needs libpq-dev"

    /// Creates the store of one kind of records; it connects on first use.
    ///
    /// - Parameters:
    ///   - kind: The kind of the records.
    ///   - settings: The server, and the patience with it.
    ///   - notice: Called when a connection is made or lost, on the thread that uses the store.
    /// - Throws: A ``StoreError`` of the kind ``StoreError/Kind/refused`` in a program that was built without the trait.
    package static func store(
        kind: RecordKind, settings: PostgreSQLSettings,
        notice: @escaping @Sendable (PostgreSQLNotice) -> Void = { _ in }
    ) throws(StoreError) -> any ServerRecordStore {
        #if PostgreSQL
            return try PostgreSQLRecordStore(kind: kind, settings: settings, notice: notice)
        #else
            throw StoreError(.refused, "\(settings.address) cannot be used: \(missing)")
        #endif
    }

    /// Asks about a server, and whether a kind of records could be kept there, without changing anything in it.
    package static func probe(_ kind: RecordKind, settings: PostgreSQLSettings) throws(StoreError) -> ServerReport {
        #if PostgreSQL
            let tables = try RecordTables(kind)
            let lane = ConnectionLane(settings) { _ in }
            defer { lane.close() }
            return try lane.run("asking about the server of \(kind.plural)") {
                connection, _ throws(OperationFailure) in
                try PostgreSQLRecordStore.report(tables, connection)
            }
        #else
            throw StoreError(.refused, "\(settings.address) cannot be used: \(missing)")
        #endif
    }

    /// Removes a kind with all its records: for stores that a trial made.
    package static func remove(_ kind: RecordKind, settings: PostgreSQLSettings) throws(StoreError) {
        #if PostgreSQL
            let tables = try RecordTables(kind)
            let lane = ConnectionLane(settings) { _ in }
            defer { lane.close() }
            try lane.run("removing the table of \(kind.plural)") { connection, _ throws(OperationFailure) in
                for statement in tables.removal { _ = try connection.execute([statement]) }
            }
        #endif
    }
}
