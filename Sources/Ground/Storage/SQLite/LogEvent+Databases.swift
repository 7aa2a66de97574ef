package import EventLog

extension LogSubsystem {
    package static let databases = LogSubsystem("databases")
}

/// The events of databases.
extension LogEvent {
    package static let databaseOpened = LogEvent("database opened", .notice, .databases, "A database is open.")
    package static let databaseUnavailable = LogEvent(
        "database unavailable", .error, .databases,
        "A database cannot be used; the error says what to do. Logged once, until the database works again.")
    package static let databaseRecovered = LogEvent(
        "database recovered", .notice, .databases,
        "A database works again.")
    package static let databaseConnected = LogEvent(
        "database connected", .info, .databases, "A connection to a database server was made.")
    package static let databaseConnectionLost = LogEvent(
        "database connection lost", .debug, .databases,
        "A connection to a database server broke, or could not be made; another attempt follows.")
    package static let databaseWentBack = LogEvent(
        "database went back", .error, .databases,
        "A database server knows fewer records than it confirmed: it is an older copy, and records are missing.")
    package static let databaseRepaired = LogEvent(
        "database repaired", .warning, .databases,
        "A restore was interrupted, or a database or its log was deleted or overwritten; the reason names the repair.")
    package static let databaseAdjusted = LogEvent(
        "database adjusted", .notice, .databases,
        "The columns of a database were those of another release, and were made anew from the archives.")
    package static let databaseBackedUp = LogEvent(
        "database backed up", .notice, .databases,
        "A copy of the database was written.")
    package static let databaseCompacted = LogEvent(
        "database compacted", .notice, .databases,
        "Free space of the database was returned to the file system.")

    package static let databaseMigrated = LogEvent(
        "database migrated", .notice, .databases,
        "The records of another database were copied into this one, or those of this one into another.")

    /// All events of this module, as the manual page lists them.
    package static let ofDatabases = [
        databaseOpened, databaseUnavailable, databaseRecovered, databaseConnected, databaseConnectionLost,
        databaseWentBack, databaseRepaired, databaseAdjusted, databaseBackedUp, databaseCompacted,
        databaseMigrated,
    ]
}
