#if PostgreSQL
    import Locking
    import PostgreSQLRules
    import RecordStorage

    extension PostgreSQLRecordStore {
        /// Returns this host's place, after making or checking the tables once.
        func openedWriter() throws(StoreError) -> Writer {
            if let known = writer.withLock({ $0 }) { return known }
            let tables = tables
            let host = settings.host
            let new = try writes.run("opening the table of \(kind.plural)") {
                connection, _ throws(OperationFailure) in
                try Self.prepareSchema(tables, connection)
                return try Self.register(host, tables, connection)
            }
            return writer.withLock { known in
                let result = known ?? new
                known = result
                return result
            }
        }

        /// The highest number that the server confirmed to this host.
        func confirmed() -> Int64 { writer.withLock { $0?.confirmed ?? 0 } }

        func confirm(_ sequence: Int64) {
            writer.withLock { if let known = $0?.confirmed, known < sequence { $0?.confirmed = sequence } }
        }

        var missingWriter: StoreError {
            writer.withLock { $0 = nil }
            return StoreError(
                .displaced,
                "the host \(settings.host) is no longer known in \(settings.address): the database was emptied or replaced; restore it, or restart the service to begin anew"
            )
        }

        /// Makes or changes the tables if they are not as the kind says. Without a need it changes nothing, so that a
        /// user without the right to create tables can use those that another made.
        private static func prepareSchema(
            _ tables: RecordTables, _ connection: ServerConnection
        ) throws(OperationFailure) {
            do throws(OperationFailure) {
                let rows = try connection.execute([tables.readSchema]).first ?? []
                if let row = rows.first, try plan(row, tables) == .nothing, try !lacksFiles(tables, connection) {
                    return
                }
            } catch {
                // No tables at all.
                guard case .server(let failure) = error, failure.state == "42P01" else { throw error }
            }
            for statement in RecordTables.shared { try create(statement, connection) }
            if try connection.execute([RecordTables.findEarlierColumn]).first?.isEmpty == false {
                try create(RecordTables.renameEarlierColumn, connection)
            }
            _ = try connection.execute([tables.addSchema])
            _ = try connection.execute([RecordTables.begin])
            let row = try connection.execute([tables.lockSchema]).first?.first
            var plan = Plan.create
            if let row { plan = try self.plan(row, tables) }
            switch plan {
            case .nothing: break
            case .create: _ = try connection.execute(tables.migration(fromColumns: nil))
            case .extend(let present): _ = try connection.execute(tables.migration(fromColumns: present))
            }
            if try lacksFiles(tables, connection) { _ = try connection.execute(tables.fileMigration) }
            _ = try connection.execute([RecordTables.commit])
        }

        /// Returns true if records of the kind may have files, and the table has no place for them.
        private static func lacksFiles(
            _ tables: RecordTables, _ connection: ServerConnection
        ) throws(OperationFailure) -> Bool {
            guard tables.kind.keepsFiles else { return false }
            return try connection.execute([tables.findFileColumn]).first?.isEmpty != false
        }

        /// Creates a table or renames its column; if another host does at the same time, one of them is told that it is
        /// done.
        private static func create(
            _ statement: ServerStatement, _ connection: ServerConnection
        ) throws(OperationFailure) {
            do throws(OperationFailure) {
                _ = try connection.execute([statement])
            } catch {
                guard case .server(let failure) = error,
                    ["23505", "42P07", "42710", "42701", "42703"].contains(failure.state)
                else {
                    throw error
                }
            }
        }

        enum Plan: Equatable {
            case nothing
            case create
            case extend(present: Int)
        }

        static func plan(_ row: ServerRow, _ tables: RecordTables) throws(OperationFailure) -> Plan {
            let (version, columns) = (row.integer(0) ?? 0, row.text(1) ?? "")
            if version == 0 { return .create }
            let wanted = tables.signature
            if version == Int64(RecordTables.version), columns == wanted { return .nothing }
            guard version <= Int64(RecordTables.version) else {
                throw .store(
                    StoreError(
                        .refused,
                        "the table of \(tables.kind.plural) has version \(version), and this program knows \(RecordTables.version): install the newer program on this host, too"
                    ))
            }
            let present = columns.isEmpty ? 0 : columns.split(separator: ",").count
            guard columns.isEmpty || wanted.hasPrefix("\(columns),") || wanted == columns else {
                throw .store(
                    StoreError(
                        .refused,
                        "the table of \(tables.kind.plural) has the columns (\(columns)), and this program wants (\(wanted)): columns can only be added at the end; install the newest program on all hosts"
                    ))
            }
            return .extend(present: present)
        }

        private static func register(
            _ host: String, _ tables: RecordTables, _ connection: ServerConnection
        ) throws(OperationFailure) -> Writer {
            let read = tables.readWriter(host)
            if let known = try connection.execute([read]).first?.first.flatMap(writer) { return known }
            let answers = try connection.transact([tables.lockSchema, tables.addWriter(host), read])
            guard let new = answers.last?.first.flatMap(writer) else {
                throw .store(
                    StoreError(.displaced, "the host \(host) could not be entered into the table watchlink_writers"))
            }
            return new
        }

        private static func writer(_ row: ServerRow) -> Writer? {
            guard let number = row.integer(0), let last = row.integer(1) else { return nil }
            return Writer(number: Int32(truncatingIfNeeded: number), confirmed: last)
        }
    }
#endif
