import CSQLite
package import Foundation

/// A prepared statement, finalised when it is released. As in SQLite, parameters count from 1 and columns from 0.
package final class Statement {
    private let handle: OpaquePointer
    private let database: OpaquePointer
    private let path: String
    private let sql: String
    /// Storage for identifiers, one for each parameter: bound in place, without a copy.
    private let identifiers: UnsafeMutableBufferPointer<uuid_t>
    /// True while there is nothing to reset: most statements are reset after their run and again before the next one.
    private var isFresh = true

    package init(_ sql: String, on database: OpaquePointer, path: String) throws(DatabaseError) {
        var handle: OpaquePointer?
        let code = sqlite3_prepare_v3(database, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &handle, nil)
        guard code == SQLITE_OK, let handle else {
            throw Database.error(database, path: path, operation: "prepare “\(sql)” for")
        }
        self.handle = handle
        self.database = database
        self.path = path
        self.sql = sql
        identifiers = .allocate(capacity: Int(sqlite3_bind_parameter_count(handle)))
    }

    deinit {
        sqlite3_finalize(handle)
        identifiers.deallocate()
    }

    // MARK: - Running

    /// Advances to the next row, and returns false when there are no more.
    package func step() throws(DatabaseError) -> Bool {
        isFresh = false
        switch sqlite3_step(handle) {
        case SQLITE_ROW: return true
        case SQLITE_DONE: return false
        default:
            let error = Database.error(database, path: path, operation: "run “\(sql)” on")
            sqlite3_reset(handle)
            throw error
        }
    }

    /// Runs the statement to its end, and resets it.
    package func run() throws(DatabaseError) {
        while try step() {}
        reset()
    }

    package func reset() {
        guard !isFresh else { return }
        sqlite3_reset(handle)
        sqlite3_clear_bindings(handle)
        isFresh = true
    }

    // MARK: - Parameters

    package func bind(_ value: Int64, at index: Int32) throws(DatabaseError) {
        try check(sqlite3_bind_int64(handle, index, value))
    }

    /// Binds a number. SQLite has no NaN and would store NULL, which columns refuse, so zero takes its place.
    package func bind(_ value: Double, at index: Int32) throws(DatabaseError) {
        try check(sqlite3_bind_double(handle, index, value.isNaN ? 0 : value))
    }

    package func bind(_ value: String, at index: Int32) throws(DatabaseError) {
        // With its length: a text may contain NUL.
        let length = Int32(clamping: value.utf8.count)
        try check(sqlite3_bind_text(handle, index, value, length, watchlink_sqlite_transient()))
    }

    package func bind(_ value: Data, at index: Int32) throws(DatabaseError) {
        let code = value.withUnsafeBytes { bytes in
            // SQLite takes a null pointer for NULL, and empty data has no pointer.
            bytes.isEmpty
                ? sqlite3_bind_zeroblob(handle, index, 0)
                : sqlite3_bind_blob64(
                    handle, index, bytes.baseAddress, UInt64(bytes.count), watchlink_sqlite_transient())
        }
        try check(code)
    }

    /// Binds an identifier as its 16 bytes.
    package func bind(_ value: UUID, at index: Int32) throws(DatabaseError) {
        let place = Int(index - 1)
        guard identifiers.indices.contains(place) else { return try check(SQLITE_RANGE) }
        identifiers.initializeElement(at: place, to: value.uuid)
        let bytes = UnsafeRawPointer(identifiers.baseAddress.map { $0 + place })
        try check(sqlite3_bind_blob(handle, index, bytes, Int32(MemoryLayout<uuid_t>.size), nil))
    }

    package func bind(_ value: UUID?, at index: Int32) throws(DatabaseError) {
        guard let value else { return try check(sqlite3_bind_null(handle, index)) }
        try bind(value, at: index)
    }

    package func bind(_ value: String?, at index: Int32) throws(DatabaseError) {
        guard let value else { return try check(sqlite3_bind_null(handle, index)) }
        try bind(value, at: index)
    }

    package func bind(_ value: Int64?, at index: Int32) throws(DatabaseError) {
        guard let value else { return try check(sqlite3_bind_null(handle, index)) }
        try bind(value, at: index)
    }

    package func bind(_ value: Data?, at index: Int32) throws(DatabaseError) {
        guard let value else { return try check(sqlite3_bind_null(handle, index)) }
        try bind(value, at: index)
    }

    /// Checks the result of a binding.
    private func check(_ code: Int32) throws(DatabaseError) {
        isFresh = false
        guard code == SQLITE_OK else { throw Database.error(database, path: path, operation: "bind to “\(sql)” on") }
    }

    // MARK: - Columns

    package func integer(_ column: Int32) -> Int64 { sqlite3_column_int64(handle, column) }

    package func real(_ column: Int32) -> Double { sqlite3_column_double(handle, column) }

    package func text(_ column: Int32) -> String {
        guard let text = sqlite3_column_text(handle, column) else { return "" }
        let bytes = UnsafeBufferPointer(start: text, count: Int(sqlite3_column_bytes(handle, column)))
        return String(decoding: bytes, as: UTF8.self)
    }

    package func blob(_ column: Int32) -> Data {
        let count = Int(sqlite3_column_bytes(handle, column))
        guard count > 0, let bytes = sqlite3_column_blob(handle, column) else { return Data() }
        return Data(bytes: bytes, count: count)
    }

    /// Returns an identifier; nil if the column does not contain 16 bytes.
    package func identifier(_ column: Int32) -> UUID? {
        guard let bytes = sqlite3_column_blob(handle, column),
            Int(sqlite3_column_bytes(handle, column)) == MemoryLayout<uuid_t>.size
        else { return nil }
        return UUID(uuid: bytes.loadUnaligned(as: uuid_t.self))
    }

    package func isNull(_ column: Int32) -> Bool { sqlite3_column_type(handle, column) == SQLITE_NULL }
}
