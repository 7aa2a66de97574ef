public import EventLog
public import Foundation
import Locking
import Storage

/// A host's records of one kind in one SQLite file.
public final class SQLiteRecordStore: RecordStore {
    /// The number of records in one transaction for which the database makes room. 4,000: only an import has so many.
    private static let manyRecords = 4_000

    /// The kind of the records.
    public let kind: RecordKind
    let path: String
    let file: DatabaseFile
    let sql: RecordStatements
    /// The state after the last insertion, so that the next one need not query it.
    private let known = Mutex<Known?>(nil)

    /// Creates a store. The file is opened on first use, and again after failures.
    ///
    /// - Parameters:
    ///   - kind: The kind of the records.
    ///   - path: The path of the file.
    ///   - logger: Logs failures of the file once, recoveries and repairs.
    ///   - values: Returns the values of the columns for an archive, nil if it cannot be read: for a file whose columns
    ///     are those of an earlier release. Without it, such a file is refused.
    /// - Throws: ``RecordKindError`` if a name of the kind cannot be that of a table or a column.
    public init(
        kind: RecordKind, path: String, logger: Logger = .silent,
        values: (@Sendable (_ archive: Data) -> [RecordValue]?)? = nil
    ) throws(RecordKindError) {
        try kind.check()
        self.kind = kind
        self.path = path
        sql = RecordStatements(kind)
        file = DatabaseFile(path: path, schema: RecordSchema(kind, values: values).schema, logger: logger)
    }

    /// Stores records in one transaction.
    public func insert(_ arrivals: [RecordArrival]) throws(StoreError) -> [InsertOutcome] {
        for arrival in arrivals { try kind.check(arrival.record) }
        return try file.serve { database throws(DatabaseError) in
            try database.expect(manyRows: arrivals.count >= Self.manyRecords)
            let (place, outcomes) = try database.transaction { () throws(DatabaseError) in
                var place =
                    if let known = knownPlace(in: database) { known } else { try InsertionPlace(database, sql) }
                var outcomes: [InsertOutcome] = []
                outcomes.reserveCapacity(arrivals.count)
                for arrival in arrivals { outcomes.append(try insert(arrival, &place, database)) }
                return (place, outcomes)
            }
            known.withLock { $0 = database.contentVersion.map { Known(version: $0, place: place) } }
            return outcomes
        }
    }

    /// Returns the archive of a record as received.
    public func receivedArchive(_ key: RecordKey) throws(StoreError) -> Data? {
        try file.serve { database throws(DatabaseError) in
            let statement = try database.statement(sql.receivedArchive)
            try Self.bind(key, to: statement)
            defer { statement.reset() }
            return try statement.step() ? statement.blob(0) : nil
        }
    }

    /// Replaces the content of a record, and keeps the archive as received.
    public func update(_ record: Record, updatedAt: Date) throws(StoreError) -> Bool {
        try kind.check(record)
        return try file.serve { database throws(DatabaseError) in
            let statement = try database.statement(sql.update)
            try Self.bind(record.key, to: statement)
            try Self.bind(record, updatedAt, to: statement)
            try statement.run()
            return database.changes == 1
        }
    }

    /// Deletes a record, and keeps a trace of it.
    public func delete(_ key: RecordKey, deletedAt: Date) throws(StoreError) -> Bool {
        try file.serve { database throws(DatabaseError) in
            try database.transaction { () throws(DatabaseError) in
                let delete = try database.statement(sql.delete)
                try Self.bind(key, to: delete)
                try delete.run()
                guard database.changes == 1 else { return false }
                try remember(RecordDeletion(key, deletedAt: deletedAt), database)
                return true
            }
        }
    }

    /// Deletes the oldest records without a trace.
    public func expire(
        receivedBefore time: Date?, keeping count: Int?, limit: Int
    ) throws(StoreError) -> [RecordKey] {
        try file.serve { database throws(DatabaseError) in
            try database.transaction { () throws(DatabaseError) in
                let statement = try database.statement(sql.expire)
                try statement.bind(time?.milliseconds ?? .min, at: 1)
                try statement.bind(count.map(Int64.init) ?? .max, at: 2)
                try statement.bind(Int64(limit), at: 3)
                defer { statement.reset() }
                var expired: [RecordKey] = []
                while try statement.step() {
                    if let identifier = statement.identifier(0), let device = statement.identifier(1) {
                        expired.append(RecordKey(identifier, device: device))
                    }
                }
                return expired
            }
        }
    }

    /// Returns the number of records.
    public func count() throws(StoreError) -> Int {
        try file.serve { database throws(DatabaseError) in Int(try database.number(sql.count)) }
    }

    // MARK: - Rows

    /// The position after the last insertion, and the version of the content then.
    private struct Known {
        let version: ContentVersion
        let place: InsertionPlace
    }

    /// Returns the known position; nil if anything was changed since the last insertion.
    private func knownPlace(in database: Database) -> InsertionPlace? {
        let version = database.contentVersion
        return known.withLock { $0?.version == version ? $0?.place : nil }
    }

    private func insert(
        _ arrival: RecordArrival, _ place: inout InsertionPlace, _ database: Database
    ) throws(DatabaseError) -> InsertOutcome {
        let record = arrival.record
        let device = try place.number(of: record.key.device, database)
        if place.areSomeDeleted, try isDeleted(record.key.identifier, device, database) { return .repeated }
        let insert = try database.statement(sql.insert)
        try insert.bind(record.key.identifier, at: 1)
        try insert.bind(device, at: 2)
        let end = try Self.bind(record, arrival.receivedAt, to: insert)
        try insert.bind(place.lastSequence + 1, at: end)
        if kind.keepsFiles {
            try check(record, database)
            try insert.bind(record.file, at: end + 1)
        }
        try insert.run()
        if database.changes == 1 {
            place.lastSequence += 1
            return .stored(sequence: place.lastSequence)
        }
        let compare = try database.statement(sql.compare)
        try compare.bind(record.key.identifier, at: 1)
        try compare.bind(device, at: 2)
        try compare.bind(record.archive, at: 3)
        defer { compare.reset() }
        return try compare.step() && compare.integer(0) == 1 ? .repeated : .conflict
    }

    /// Returns true if a record was deleted: a late duplicate must not restore it.
    func isDeleted(_ identifier: UUID, _ device: Int64, _ database: Database) throws(DatabaseError) -> Bool {
        let statement = try database.statement(sql.isDeleted)
        try statement.bind(identifier, at: 1)
        try statement.bind(device, at: 2)
        defer { statement.reset() }
        return try statement.step()
    }

    /// Keeps the trace of a record of a known device.
    func remember(_ deletion: RecordDeletion, _ database: Database) throws(DatabaseError) {
        let remember = try database.statement(sql.remember)
        try Self.bind(deletion.key, to: remember)
        try remember.bind(deletion.deletedAt.milliseconds, at: 3)
        try remember.run()
    }

    static func bind(_ key: RecordKey, to statement: Statement) throws(DatabaseError) {
        try statement.bind(key.identifier, at: 1)
        try statement.bind(key.device, at: 2)
    }

    /// Binds the columns, the archive and a time.
    ///
    /// - Returns: The next parameter.
    @discardableResult
    private static func bind(
        _ record: Record, _ time: Date, to statement: Statement
    ) throws(DatabaseError) -> Int32 {
        var parameter = RecordStatements.firstColumn
        for value in record.values {
            try statement.bind(value, at: parameter)
            parameter += 1
        }
        try statement.bind(record.archive, at: parameter)
        try statement.bind(time.milliseconds, at: parameter + 1)
        return parameter + 2
    }
}
