import CSQLite
import CrashPoints
import Files
package import Foundation
import Glibc

/// Replaces a database by a copy in one atomic step: after a crash or a power cut at any time, the path holds one
/// complete database, and the previous database is there or under its own name.
///
/// The mark names the copy before the replacement: the next start accepts both, and reports which one it found.
package enum DatabaseRestore {
    /// Checks, copies and installs a backup.
    ///
    /// - Returns: The path of the previous database; nil if there was none.
    package static func restore(
        _ source: String, to target: String, schema: DatabaseSchema, at time: Date
    ) throws(DatabaseError) -> String? {
        let problems = try DatabaseCheck.problems(in: source)
        guard problems.isEmpty else {
            throw DatabaseError(
                code: SQLITE_CORRUPT, path: source, operation: "restore", detail: problems.joined(separator: "; "))
        }
        let fresh = fresh(target)
        unlink(fresh)
        do throws(DatabaseError) {
            _ = try DatabaseBackup.copy(source, to: fresh)
            let entry = try prepare(fresh, schema, source)
            CrashPoint.restoreCopied.pass()
            return try replace(target, with: fresh, entry, at: time)
        } catch {
            unlink(fresh)
            throw error
        }
    }

    /// Removes the files of a restore that was interrupted before the replacement.
    static func removeTraces(of successor: DatabaseMark.Successor, at target: String) {
        unlink(fresh(target))
        let former = DurableDirectory(of: target).path(of: successor.formerName)
        var (one, other) = (stat(), stat())
        guard stat(target, &one) == 0, stat(former, &other) == 0, one.st_dev == other.st_dev,
            one.st_ino == other.st_ino
        else { return }
        unlink(former)
    }

    private static func fresh(_ target: String) -> String { target + ".restoring" }

    /// Migrates the copy to the current schema, and gives it a new identifier.
    private static func prepare(
        _ fresh: String, _ schema: DatabaseSchema, _ source: String
    ) throws(DatabaseError) -> DatabaseMark.Entry {
        let database = try Database(path: fresh, migrations: schema.migrations) { database throws(DatabaseError) in
            // Migrations would create tables in any SQLite file.
            guard try database.number("PRAGMA user_version") > 0 else {
                throw DatabaseError(
                    code: SQLITE_NOTADB, path: source, operation: "restore", detail: "WatchLink did not write it")
            }
        }
        let entry = DatabaseMark.Entry(
            identifier: Database.newIdentifier(), sequence: try database.number(schema.lastSequence))
        try database.setIdentifier(entry.identifier)
        try database.set("PRAGMA journal_mode = DELETE", to: "delete")
        return entry
    }

    private static func replace(
        _ target: String, with fresh: String, _ entry: DatabaseMark.Entry, at time: Date
    ) throws(DatabaseError) -> String? {
        let directory = DurableDirectory(of: target)
        let name = String(target.split(separator: "/").last ?? "")
        let formerName = "\(name).before-restore-\(time.milliseconds)"
        var status = stat()
        let isThere = stat(target, &status) == 0 && status.st_size > 0
        let current = try current(target, isThere: isThere, entry)
        // Locked until this function returns: a program that opens the previous database meanwhile waits, and writes
        // nothing to it.
        let former = isThere ? try Database(path: target, migrations: nil, access: .asItIs) : nil
        try former?.seize()
        let successor = DatabaseMark.Successor(entry: entry, formerName: formerName)
        let mark = DatabaseMark(current: current, successor: successor)
        do {
            try mark.write(of: target)
            CrashPoint.restoreMarked.pass()
            if isThere {
                try directory.link(target, as: formerName)
            } else {
                try putLogAside(of: target, as: formerName, in: directory)
            }
            CrashPoint.restoreLinked.pass()
            try directory.move(fresh, to: name)
        } catch {
            // The next start would do the same.
            removeTraces(of: successor, at: target)
            throw error as? DatabaseError
                ?? (error as? SystemError).map { DatabaseError($0, path: target) }
                ?? DatabaseError(code: SQLITE_ERROR, path: target, operation: "restore", detail: "\(error)")
        }
        CrashPoint.restoreReplaced.pass()
        try DatabaseMark(current: entry).write(of: target)
        return withExtendedLifetime(former) { isThere ? directory.path(of: formerName) : nil }
    }

    /// Returns the mark's entry for the previous database. A database without a mark gets an identifier.
    private static func current(
        _ target: String, isThere: Bool, _ entry: DatabaseMark.Entry
    ) throws(DatabaseError) -> DatabaseMark.Entry {
        do {
            if let known = try DatabaseMark.read(of: target) { return known.current }
        } catch {
            // An unreadable mark is overwritten.
            guard error.code == SQLITE_CORRUPT else { throw error }
        }
        guard isThere else { return entry }
        let database = try Database(path: target, migrations: nil, access: .asItIs)
        let identifier = database.identifier != 0 ? database.identifier : Database.newIdentifier()
        if identifier != database.identifier { try database.setIdentifier(identifier) }
        return DatabaseMark.Entry(identifier: identifier, sequence: 0)
    }

    /// Renames the log of a deleted database, which SQLite would take for the new database's log.
    ///
    /// - Returns: The new name of the log; nil if there was none.
    @discardableResult
    static func putLogAside(
        of target: String, as formerName: String, in directory: DurableDirectory
    ) throws(SystemError) -> String? {
        let name = formerName + "-wal"
        let isThere = access(target + "-wal", F_OK) == 0
        if isThere { try directory.move(target + "-wal", to: name) }
        unlink(target + "-shm")
        return isThere ? name : nil
    }
}
