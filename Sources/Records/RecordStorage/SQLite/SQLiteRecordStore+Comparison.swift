import Files
import Foundation
import Storage

/// The comparison with another store, and the traces of deleted records.
extension SQLiteRecordStore {
    /// The key before all others.
    private static let first: RecordKey = {
        let zero = UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))
        return RecordKey(zero, device: zero)
    }()

    /// Deletes records that were deleted elsewhere, and keeps their traces.
    public func delete(_ deletions: [RecordDeletion]) throws(StoreError) -> Int {
        try file.serve { database throws(DatabaseError) in
            try database.transaction { () throws(DatabaseError) in
                var place = try InsertionPlace(database, sql)
                var new = 0
                for deletion in deletions {
                    let device = try place.number(of: deletion.key.device, database)
                    guard try !isDeleted(deletion.key.identifier, device, database) else { continue }
                    let delete = try database.statement(sql.delete)
                    try Self.bind(deletion.key, to: delete)
                    try delete.run()
                    try remember(deletion, database)
                    new += 1
                }
                return new
            }
        }
    }

    /// Returns a page of traces, in the order of their keys.
    public func deletions(after key: RecordKey?, limit: Int) throws(StoreError) -> [RecordDeletion] {
        try file.serve { database throws(DatabaseError) in
            let statement = try database.statement(sql.deletions)
            try Self.bind(key ?? Self.first, to: statement)
            try statement.bind(Int64(limit), at: 3)
            defer { statement.reset() }
            var traces: [RecordDeletion] = []
            while try statement.step() {
                // Rows written with other tools may contain anything; invalid rows are skipped.
                guard let identifier = statement.identifier(0), let device = statement.identifier(1) else { continue }
                traces.append(
                    RecordDeletion(
                        RecordKey(identifier, device: device), deletedAt: Date(milliseconds: statement.integer(2))))
            }
            return traces
        }
    }

    /// Returns the states of records, whose digests are made from the archives.
    public func states(of keys: [RecordKey]) throws(StoreError) -> [RecordState] {
        try file.serve { database throws(DatabaseError) in
            var states: [RecordState] = []
            states.reserveCapacity(keys.count)
            for key in keys { states.append(try state(of: key, database)) }
            return states
        }
    }

    private func state(of key: RecordKey, _ database: Database) throws(DatabaseError) -> RecordState {
        let statement = try database.statement(sql.state)
        try Self.bind(key, to: statement)
        defer { statement.reset() }
        guard try statement.step() else {
            return try isDeleted(key, database) ? .deleted : .absent
        }
        let present = ContentDigest.of(statement.blob(0))
        return .stored(
            received: statement.isNull(1) ? present : ContentDigest.of(statement.blob(1)), present: present,
            updatedAt: statement.isNull(2) ? nil : Date(milliseconds: statement.integer(2)))
    }

    private func isDeleted(_ key: RecordKey, _ database: Database) throws(DatabaseError) -> Bool {
        let find = try database.statement("SELECT number FROM devices WHERE identifier = ?1")
        try find.bind(key.device, at: 1)
        defer { find.reset() }
        guard try find.step() else { return false }
        return try isDeleted(key.identifier, find.integer(0), database)
    }
}
