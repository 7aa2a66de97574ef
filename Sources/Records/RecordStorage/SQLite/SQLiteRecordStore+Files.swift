import CSQLite
import Files
public import Foundation
import Storage

/// The files that belong to records.
extension SQLiteRecordStore {
    /// True if records of the kind may have files.
    public var keepsFiles: Bool { kind.keepsFiles }

    /// Keeps a file for a record that follows, and removes those that have waited for too long.
    ///
    /// - Throws: An error of the kind ``StoreError/Kind/refused`` for a file that is too large.
    @discardableResult
    public func keep(_ content: Data, at time: Date) throws(StoreError) -> Data {
        try RecordFileLimits.check(content, of: kind)
        let digest = ContentDigest.of(content)
        try serveFiles { database throws(DatabaseError) in
            try database.transaction { () throws(DatabaseError) in
                let keep = try database.statement(sql.files.keep)
                try keep.bind(digest, at: 1)
                try keep.bind(Int64(content.count), at: 2)
                try keep.bind(time.milliseconds, at: 3)
                try keep.run()
                let keepContent = try database.statement(sql.files.keepContent)
                try keepContent.bind(digest, at: 1)
                try keepContent.bind(content, at: 2)
                try keepContent.run()
                _ = try removeUnclaimedFiles(at: time, database)
            }
        }
        return digest
    }

    /// Returns those of some files that are here, and keeps them for a day.
    public func claim(_ files: Set<Data>, at time: Date) throws(StoreError) -> Set<Data> {
        guard !files.isEmpty else { return [] }
        return try serveFiles { database throws(DatabaseError) in
            try database.transaction { () throws(DatabaseError) in
                var found: Set<Data> = []
                for file in files {
                    let claim = try database.statement(sql.files.claim)
                    try claim.bind(file, at: 1)
                    try claim.bind(time.milliseconds, at: 2)
                    try claim.run()
                    if database.changes == 1 { found.insert(file) }
                }
                return found
            }
        }
    }

    /// Returns the content of a file; nil if it is not here.
    public func content(of file: Data) throws(StoreError) -> Data? {
        guard kind.keepsFiles else { return nil }
        return try serveFiles { database throws(DatabaseError) in
            let statement = try database.statement(sql.files.content)
            try statement.bind(file, at: 1)
            defer { statement.reset() }
            return try statement.step() ? statement.blob(0) : nil
        }
    }

    /// Removes the files that have waited for their records for too long, and those beyond the limits.
    @discardableResult
    public func removeUnclaimedFiles(at time: Date) throws(StoreError) -> Int {
        guard kind.keepsFiles else { return 0 }
        return try serveFiles { database throws(DatabaseError) in try removeUnclaimedFiles(at: time, database) }
    }

    private func removeUnclaimedFiles(at time: Date, _ database: Database) throws(DatabaseError) -> Int {
        let expire = try database.statement(sql.files.expire)
        try expire.bind(time.addingTimeInterval(-RecordFileLimits.unclaimedSeconds).milliseconds, at: 1)
        try expire.bind(Int64(RecordFileLimits.unclaimedBytes), at: 2)
        try expire.bind(Int64(RecordFileLimits.unclaimedCount), at: 3)
        try expire.run()
        return database.changes
    }

    /// Checks that the file of a new record is here.
    func check(_ record: Record, _ database: Database) throws(DatabaseError) {
        guard let file = record.file else { return }
        let statement = try database.statement(sql.files.isHere)
        try statement.bind(file, at: 1)
        defer { statement.reset() }
        guard try statement.step() else {
            throw DatabaseError(
                code: SQLITE_CONSTRAINT, path: path, operation: "store \(kind.name) \(record.key.identifier) in",
                detail: "its file \(file.hexadecimal) is not here; keep that first")
        }
    }

    private func serveFiles<Result: Sendable>(
        _ body: @Sendable (Database) throws(DatabaseError) -> Result
    ) throws(StoreError) -> Result {
        guard kind.keepsFiles else { throw StoreError(.refused, "\(path): the \(kind.plural) have no files") }
        return try file.serve(body)
    }
}
