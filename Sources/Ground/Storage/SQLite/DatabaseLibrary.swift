import CSQLite

/// SQLite's library, as it was found when the program started.
package enum DatabaseLibrary {
    package static var version: String { String(cString: sqlite3_libversion()) }
}
