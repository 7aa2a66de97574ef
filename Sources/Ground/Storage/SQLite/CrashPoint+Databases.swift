package import CrashPoints

extension CrashPoint {
    /// Inside a transaction, before its commit.
    package static let committing = CrashPoint("committing")
    /// Inside the transaction that brings a database's schema up to date.
    package static let migrating = CrashPoint("migrating")
    /// The copy that is to replace a database is complete.
    package static let restoreCopied = CrashPoint("restore-copied")
    /// The mark names the copy as the successor.
    package static let restoreMarked = CrashPoint("restore-marked")
    /// The previous database has a second name.
    package static let restoreLinked = CrashPoint("restore-linked")
    /// The copy has the database's name.
    package static let restoreReplaced = CrashPoint("restore-replaced")
}
