public import Foundation
import Storage

/// The reading of records.
extension SQLiteRecordStore {
    /// The size of the archives after which a page ends. 1 MiB: a page of the largest records takes no more than one of
    /// many small ones.
    private static let pageBytes = 1_024 * 1_024

    /// Returns the records with an identifier.
    public func records(identifier: UUID) throws(StoreError) -> [StoredRecord] {
        try file.serve { database throws(DatabaseError) in
            let statement = try database.statement(sql.withIdentifier)
            try statement.bind(identifier, at: 1)
            return try rows(statement)
        }
    }

    /// Returns a page of records in the order of arrival, of up to 1 MiB of archives.
    ///
    /// - Throws: An error of the kind ``StoreError/Kind/refused`` for a cursor that this store did not issue.
    public func records(after cursor: RecordCursor, limit: Int) throws(StoreError) -> [StoredRecord] {
        let sequence = try Self.sequence(cursor)
        return try file.serve { database throws(DatabaseError) in
            let statement = try database.statement(sql.afterSequence)
            try statement.bind(sequence, at: 1)
            try statement.bind(Int64(limit), at: 2)
            return try rows(statement, maximumBytes: Self.pageBytes)
        }
    }

    /// Returns the latest records, the newest first.
    public func latestRecords(limit: Int) throws(StoreError) -> [StoredRecord] {
        try file.serve { database throws(DatabaseError) in
            let statement = try database.statement(sql.latest)
            try statement.bind(Int64(limit), at: 1)
            return try rows(statement)
        }
    }

    private static func sequence(_ cursor: RecordCursor) throws(StoreError) -> Int64 {
        guard cursor != .start else { return 0 }
        guard let sequence = Int64(cursor.rawValue) else {
            throw StoreError(
                .refused, "cannot read after “\(cursor)”: it is not a cursor of this store; start with an empty one")
        }
        return sequence
    }

    private func rows(_ statement: Statement, maximumBytes: Int = .max) throws(DatabaseError) -> [StoredRecord] {
        defer { statement.reset() }
        var rows: [StoredRecord] = []
        var bytes = 0
        while bytes < maximumBytes, try statement.step() {
            // Rows written with other tools may contain anything; invalid rows are skipped.
            guard let identifier = statement.identifier(1), let device = statement.identifier(2) else { continue }
            let archive = statement.blob(3)
            let sequence = statement.integer(0)
            rows.append(
                StoredRecord(
                    cursor: RecordCursor(rawValue: "\(sequence)"), sequence: sequence,
                    record: Record(
                        key: RecordKey(identifier, device: device), values: values(statement), archive: archive,
                        file: file(statement)),
                    receivedAt: Date(milliseconds: statement.integer(4)),
                    updatedAt: statement.isNull(5) ? nil : Date(milliseconds: statement.integer(5))))
            bytes += archive.count
        }
        return rows
    }

    /// The result column of the first of the kind's columns, after those of every record.
    private static let firstResult: Int32 = 6

    private func file(_ statement: Statement) -> Data? {
        let place = Self.firstResult + Int32(kind.columns.count)
        return kind.keepsFiles && !statement.isNull(place) ? statement.blob(place) : nil
    }

    private func values(_ statement: Statement) -> [RecordValue] {
        kind.columns.enumerated().map { index, column in
            let place = Self.firstResult + Int32(index)
            return switch column.type {
            case .text: .text(statement.text(place))
            case .integer: .integer(statement.integer(place))
            case .real: .real(statement.real(place))
            case .date: .date(Date(milliseconds: statement.integer(place)))
            }
        }
    }
}
