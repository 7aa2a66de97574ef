#if PostgreSQL
    package import PostgreSQLRules
    package import RecordStorage

    extension PostgreSQLRecordStore: ServerRecordStore {
        package func report() throws(StoreError) -> ServerReport {
            _ = try openedWriter()
            return try reads.run("asking about the server of \(kind.plural)") {
                connection, _ throws(OperationFailure) in
                try Self.report(tables, connection)
            }
        }

        /// Asks about a server without changing anything in it.
        ///
        /// - Throws: A failure also for tables that this program cannot use.
        static func report(
            _ tables: RecordTables, _ connection: ServerConnection
        ) throws(OperationFailure) -> ServerReport {
            let version = try connection.execute([RecordTables.askVersion]).first?.first?.text(0) ?? ""
            let schema = try answer(to: tables.readSchema, connection)?.first
            if let schema { _ = try plan(schema, tables) }
            let hosts = schema == nil ? nil : try answer(to: tables.askHosts, connection)?.first
            return ServerReport(
                server: connection.server, version: version, isPooled: connection.isPooled,
                isEncrypted: connection.isEncrypted, schemaVersion: schema?.integer(0), hosts: hosts?.integer(0) ?? 0,
                records: hosts?.integer(1) ?? 0,
                replicas: try answer(to: RecordTables.askReplicas, connection)?.map(RecordTables.replica))
        }

        /// Returns the rows of a question; nil if this server, user or new database cannot answer it.
        private static func answer(
            to question: ServerStatement, _ connection: ServerConnection
        ) throws(OperationFailure) -> [ServerRow]? {
            do throws(OperationFailure) {
                return try connection.execute([question]).first ?? []
            } catch {
                // A table, column or function that does not exist, that this user may not see, or that a server which
                // follows another one does not have.
                guard case .server(let failure) = error,
                    ["42P01", "42703", "42883", "42501", "0A000", "55000"].contains(failure.state)
                else { throw error }
                return nil
            }
        }
    }
#endif
