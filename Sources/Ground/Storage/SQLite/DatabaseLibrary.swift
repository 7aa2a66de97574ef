import CSQLite

/// The SQLite library that the process loaded.
package enum DatabaseLibrary {
    package static var version: String { String(cString: sqlite3_libversion()) }
}
