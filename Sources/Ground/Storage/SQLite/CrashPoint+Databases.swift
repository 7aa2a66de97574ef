package import CrashPoints

extension CrashPoint {
    /// Inside a transaction, before its commit.
    package static let committing = CrashPoint("committing")
    /// Inside the transaction that brings a database's schema up to date.
    package static let migrating = CrashPoint("migrating")
    /// The copy that is to be put into a database's place is whole.
    package static let restoreCopied = CrashPoint("restore-copied")
    /// The mark names it as the one that may come.
    package static let restoreMarked = CrashPoint("restore-marked")
    /// The former database has its second name.
    package static let restoreLinked = CrashPoint("restore-linked")
    /// The copy has the database's name.
    package static let restoreReplaced = CrashPoint("restore-replaced")
}
