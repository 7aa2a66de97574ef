#if PostgreSQL
    import Files
    package import Foundation
    import PostgreSQLRules
    package import RecordStorage

    /// The files that belong to records.
    extension PostgreSQLRecordStore {
        package var keepsFiles: Bool { kind.keepsFiles }

        /// Keeps a file for a record that follows, and removes those that have waited for too long.
        ///
        /// - Throws: An error of the kind ``StoreError/Kind/refused`` for a file that is too large.
        package func keep(_ content: Data, at time: Date) throws(StoreError) -> Data {
            try RecordFileLimits.check(content, of: kind)
            let digest = ContentDigest.of(content)
            try serveFiles("keeping a file of \(content.count) bytes for the \(kind.plural)") {
                connection throws(OperationFailure) in
                // The server may have the content of another record, or of an attempt whose answer was lost.
                let known = try connection.execute([tables.claim([digest], at: time)]).first ?? []
                guard known.isEmpty else { return }
                _ = try connection.execute([tables.add(content, digest: digest, at: time)])
                _ = try removeUnclaimedFiles(at: time, connection)
            }
            return digest
        }

        package func claim(_ files: Set<Data>, at time: Date) throws(StoreError) -> Set<Data> {
            guard kind.keepsFiles, !files.isEmpty else { return [] }
            // In one order, so that two hosts do not wait for each other.
            let digests = files.sorted { $0.lexicographicallyPrecedes($1) }
            return try serveFiles("looking for \(files.count) files of \(kind.plural)") {
                connection throws(OperationFailure) in
                Set((try connection.execute([tables.claim(digests, at: time)]).first ?? []).compactMap { $0.bytes(0) })
            }
        }

        package func content(of file: Data) throws(StoreError) -> Data? {
            guard kind.keepsFiles else { return nil }
            return try serveFiles("reading a file of the \(kind.plural)") { connection throws(OperationFailure) in
                try connection.execute([tables.content(of: file)]).first?.first?.bytes(0)
            }
        }

        package func removeUnclaimedFiles(at time: Date) throws(StoreError) -> Int {
            guard kind.keepsFiles else { return 0 }
            return try serveFiles("removing files of no \(kind.name)") { connection throws(OperationFailure) in
                try removeUnclaimedFiles(at: time, connection)
            }
        }

        private func removeUnclaimedFiles(
            at time: Date, _ connection: ServerConnection
        ) throws(OperationFailure) -> Int {
            try Self.repeating { () throws(OperationFailure) in
                try connection.execute([tables.removeUnclaimedFiles(at: time)]).first?.count ?? 0
            }
        }

        /// Uses the connection for files, so that a large one delays no record.
        private func serveFiles<Result>(
            _ attempt: String, _ body: (ServerConnection) throws(OperationFailure) -> Result
        ) throws(StoreError) -> Result {
            _ = try openedWriter()
            return try files.run(attempt) { connection, _ throws(OperationFailure) in try body(connection) }
        }

        /// Deletes records in one transaction, and the files that no other record has.
        func transact(
            _ statements: [ServerStatement], deleting keys: [RecordKey], _ connection: ServerConnection
        ) throws(OperationFailure) -> [[ServerRow]] {
            guard kind.keepsFiles else { return try connection.transact(statements) }
            let files = (try connection.execute([tables.files(of: keys)]).first ?? []).compactMap { $0.bytes(0) }
            guard !files.isEmpty else { return try connection.transact(statements) }
            return try Self.repeating { () throws(OperationFailure) in
                Array(try connection.transact(statements + [tables.remove(files: files)]).dropLast())
            }
        }

        /// Has a transaction run again that met a record with a file which it was to remove: another host stored it at the
        /// same moment, and the next attempt sees it.
        private static func repeating<Result>(
            _ body: () throws(OperationFailure) -> Result
        ) throws(OperationFailure) -> Result {
            do throws(OperationFailure) {
                return try body()
            } catch {
                guard case .server(let failure) = error, failure.isAboutFile else { throw error }
                throw .server(ServerFailure(state: "40001", message: failure.message, isConnectionLost: false))
            }
        }
    }
#endif
