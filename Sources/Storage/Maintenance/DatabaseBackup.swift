import CSQLite
package import Foundation
import Glibc

/// Copies of a database, made by SQLite's own backup while others go on using it.
package enum DatabaseBackup {
    /// Writes a copy, which stands at its path only when it is whole and on the disk.
    ///
    /// All pages are copied in one step: in WAL mode a reader holds up nobody, and no change of others makes it begin anew.
    ///
    /// - Returns: Its size in bytes.
    package static func copy(_ source: String, to target: String) throws(DatabaseError) -> Int64 {
        let unfinished = target + ".unfinished"
        unlink(unfinished)
        do throws(DatabaseError) {
            // What is in it is its owner's business, whatever the caller's umask.
            let descriptor = open(unfinished, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
            guard descriptor >= 0 else { throw failure("make a backup at", unfinished) }
            close(descriptor)
            let from = try Database(path: source, migrations: nil, isReadOnly: true)
            try from.copy(to: unfinished)
        } catch {
            unlink(unfinished)
            throw error
        }
        guard rename(unfinished, target) == 0 else { throw failure("rename a backup to", target) }
        try synchronise(directoryOf: target)
        var status = stat()
        stat(target, &status)
        return Int64(status.st_size)
    }

    /// Puts a copy into a database's place. Nobody may use the database meanwhile.
    ///
    /// - Parameter check: Looks whether a sound database is one of the right kind, before anything is moved.
    /// - Returns: Where the former database lies now; nil if there was none.
    package static func restore(
        _ source: String, to target: String, at time: Date, check: (String) throws(DatabaseError) -> Void
    ) throws(DatabaseError) -> String? {
        let problems = try DatabaseCheck.problems(in: source)
        guard problems.isEmpty else {
            throw DatabaseError(
                code: SQLITE_CORRUPT, path: source, operation: "restore", detail: problems.joined(separator: "; "))
        }
        let fresh = target + ".restored"
        _ = try copy(source, to: fresh)
        do {
            try check(fresh)
        } catch {
            unlink(fresh)
            throw error
        }
        var former: String?
        if access(target, F_OK) == 0 {
            // What its log still holds goes into the file, so that the one file is all of it.
            try Database(path: target, migrations: nil).execute("PRAGMA wal_checkpoint(TRUNCATE)")
            let name = "\(target).before-restore-\(time.milliseconds)"
            guard rename(target, name) == 0 else { throw failure("put aside", target) }
            former = name
        }
        for suffix in ["-wal", "-shm"] { unlink(target + suffix) }
        guard rename(fresh, target) == 0 else { throw failure("put a backup at", target) }
        try synchronise(directoryOf: target)
        return former
    }

    private static func synchronise(directoryOf path: String) throws(DatabaseError) {
        let folder = URL(filePath: path).deletingLastPathComponent().path()
        let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw failure("open", folder) }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 else { throw failure("synchronise", folder) }
    }

    private static func failure(_ operation: String, _ path: String) -> DatabaseError {
        DatabaseError(code: SQLITE_IOERR, path: path, operation: operation, detail: String(cString: strerror(errno)))
    }
}
