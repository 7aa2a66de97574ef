#if PostgreSQL
    package import Foundation
    import Locking
    import PostgreSQLRules
    package import RecordStorage

    /// The records of one kind in a PostgreSQL server, or one that speaks its protocol, shared by any number of hosts.
    ///
    /// Insertions, queries and files use a connection each, so that a long list or a large file delays no record.
    package final class PostgreSQLRecordStore: RecordStore {
        /// The size of the archives in one statement of a batch. 64 KiB, some 64 records: enough that the statement itself
        /// costs little, and the server inserts them while the digests of the next are computed.
        static let statementBytes = 64 * 1_024
        /// The number of hosts that a page asks for at once. 16: one query is enough in most stores.
        private static let hostsPerPage = 16

        package let kind: RecordKind
        let tables: RecordTables
        let settings: PostgreSQLSettings
        let writes: ConnectionLane
        let reads: ConnectionLane
        /// Used only for a kind with files.
        let files: ConnectionLane
        let notice: @Sendable (PostgreSQLNotice) -> Void
        /// The batches after one with a repeat that are compared before they are inserted. 64: the server's log gets one
        /// error for that many.
        static let batchesWithRepeats = 64
        /// The rounds of an insertion that may end without an outcome or another number. 3: a record that another host
        /// deletes for good meanwhile is sent again; after more, the server is not what it says.
        static let fruitlessRounds = 3
        /// The time after which a record that is inserted alone is checked against the host's row again. A second: a row
        /// that somebody deleted by hand is noticed by then, and a server that went back closes its connections.
        static let checkInterval: Duration = .seconds(1)
        /// The batches that are still to be compared first.
        let expectedRepeats = Mutex(0)
        /// This host's place in the store; nil until the tables were checked.
        let writer = Mutex<Writer?>(nil)

        /// The number of this host, and the highest sequence number that the server confirmed to it.
        struct Writer: Sendable {
            let number: Int32
            var confirmed: Int64
        }

        /// Creates a store. It connects on first use, and again after failures.
        ///
        /// - Parameters:
        ///   - kind: The kind of the records; its table is made if it does not exist.
        ///   - settings: The server, and the patience with it.
        ///   - notice: Called when a connection is made or lost, on the thread that uses the store.
        /// - Throws: A ``StoreError`` if the kind's names cannot be those of a table and its columns.
        package init(
            kind: RecordKind, settings: PostgreSQLSettings,
            notice: @escaping @Sendable (PostgreSQLNotice) -> Void = { _ in }
        ) throws(StoreError) {
            self.kind = kind
            self.settings = settings
            self.notice = notice
            tables = try RecordTables(kind)
            writes = ConnectionLane(settings, notice: notice)
            reads = ConnectionLane(settings.ofQueries, notice: notice)
            files = ConnectionLane(settings, notice: notice)
        }

        /// Closes all connections.
        package func close() {
            writes.close()
            reads.close()
            files.close()
            writer.withLock { $0 = nil }
        }

        // MARK: - Reading

        /// Runs queries on the connection for reading.
        func read(
            _ attempt: String, _ statements: ServerStatement...
        ) throws(StoreError) -> [[ServerRow]] {
            _ = try openedWriter()
            return try reads.run(attempt) { connection, _ throws(OperationFailure) in
                try connection.execute(statements)
            }
        }

        package func receivedArchive(_ key: RecordKey) throws(StoreError) -> Data? {
            try read("reading a \(kind.name)", tables.receivedArchive(key)).first?.first?.bytes(0)
        }

        package func records(identifier: UUID) throws(StoreError) -> [StoredRecord] {
            try read("reading \(kind.plural)", tables.records(identifier: identifier)).first.map(alone) ?? []
        }

        package func latestRecords(limit: Int) throws(StoreError) -> [StoredRecord] {
            try read("reading \(kind.plural)", tables.latest(limit: limit)).first.map(alone) ?? []
        }

        /// Returns records outside a page: their cursors know only their own host.
        private func alone(_ rows: [ServerRow]) -> [StoredRecord] {
            rows.compactMap { row in
                tables.record(row) { host, sequence in
                    var cursor = HostCursor()
                    cursor.advance(host, to: sequence)
                    return cursor.cursor
                }
            }
        }

        /// Returns a page of up to 1 MiB of archives, host by host, each in its order.
        package func records(after cursor: RecordCursor, limit: Int) throws(StoreError) -> [StoredRecord] {
            var position = try HostCursor(cursor)
            let attempt = "reading \(kind.plural)"
            let hosts = try (read(attempt, tables.writers(after: position)).first ?? []).compactMap { row in
                row.integer(0).flatMap { number in
                    row.integer(1).map { (number: Int32(truncatingIfNeeded: number), after: $0) }
                }
            }
            for start in stride(from: 0, to: hosts.count, by: Self.hostsPerPage) {
                let some = Array(hosts[start..<min(start + Self.hostsPerPage, hosts.count)])
                let rows = try read(attempt, tables.page(some, limit: limit)).first ?? []
                let records = rows.compactMap { row in
                    tables.record(row) { host, sequence in
                        position.advance(host, to: sequence)
                        return position.cursor
                    }
                }
                if !records.isEmpty { return records }
            }
            return []
        }

        package func count() throws(StoreError) -> Int {
            Int(try read("counting \(kind.plural)", tables.total).first?.first?.integer(0) ?? 0)
        }

        package func ages(before time: Date) throws(StoreError) -> RecordAges {
            let answers = try read("counting \(kind.plural)", tables.total, tables.ages(before: time))
            let ages = answers.last?.first
            return RecordAges(
                total: Int(answers.first?.first?.integer(0) ?? 0), older: Int(ages?.integer(0) ?? 0),
                newest: ages?.integer(1).map(Date.init(milliseconds:)))
        }

        package func look() throws(StoreError) { _ = try read("looking at \(kind.plural)", tables.total) }
    }

    extension ServerConnection {
        func execute(_ statements: [ServerStatement]) throws(OperationFailure) -> [[ServerRow]] {
            try OperationFailure.ofServer { () throws(ServerFailure) in try run(statements) }
        }

        /// Runs statements, and returns the number of rows that each changed.
        func change(_ statements: [ServerStatement]) throws(OperationFailure) -> [Int] {
            try OperationFailure.ofServer { () throws(ServerFailure) in try run(statements, reading: Self.changes) }
        }

        /// Runs statements in one transaction, each as soon as it is made, and returns the number of rows that each changed.
        func changeTogether(
            _ count: Int, _ make: (Int) throws(StoreError) -> ServerStatement
        ) throws(OperationFailure) -> [Int] {
            let result = try OperationFailure.ofServer { () throws(ServerFailure) in
                try change(RecordTables.begin, RecordTables.commit, count: count, making: make)
            }
            return try OperationFailure.ofStore { () throws(StoreError) in try result.get() }
        }

        /// Runs statements in one transaction, and returns the rows of each.
        func transact(_ statements: [ServerStatement]) throws(OperationFailure) -> [[ServerRow]] {
            let answers = try execute([RecordTables.begin] + statements + [RecordTables.commit])
            return Array(answers.dropFirst().dropLast())
        }
    }
#endif
