import CSQLite
import Files
import Foundation
import Glibc

/// Copying a database with SQLite's backup interface while other connections use it.
package enum DatabaseBackup {
    /// The speed of a copy.
    package enum Pace: Sendable {
        /// Leaves most of the time to other users of the disk and the processors.
        case gentle
        case full
    }

    /// A callback with the number of pages copied and the number of all pages.
    package typealias Progress = (_ done: Int, _ total: Int) -> Void

    /// The pages copied per step. 256, or 1 MiB: a few milliseconds.
    private static let pagesAtOnce: Int32 = 256
    /// The pause after each step of a gentle copy, as a multiple of the step. 3: others have three quarters of the
    /// time.
    private static let rests = 3.0

    /// Writes a copy, which appears at its path only when it is complete and durable.
    ///
    /// The copy is a snapshot of one moment, however long it takes: a reader blocks nobody in WAL mode.
    ///
    /// - Returns: The size of the copy in bytes.
    package static func copy(
        _ source: String, to target: String, pace: Pace = .full, progress: Progress = { _, _ in }
    ) throws(DatabaseError) -> Int64 {
        let unfinished = target + ".unfinished"
        unlink(unfinished)
        do throws(DatabaseError) {
            let size = try write(source, to: unfinished, pace, progress)
            let directory = DurableDirectory(of: target)
            do {
                try directory.giveToOwner(unfinished)
                try directory.move(unfinished, to: String(target.split(separator: "/").last ?? ""))
            } catch {
                throw DatabaseError(error, path: target)
            }
            return size
        } catch {
            unlink(unfinished)
            throw error
        }
    }

    private static func write(
        _ source: String, to target: String, _ pace: Pace, _ progress: Progress
    ) throws(DatabaseError) -> Int64 {
        // Private to its owner, whatever the caller's umask.
        let number = open(target, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard number >= 0 else { throw DatabaseError(SystemError("create a backup at", on: target), path: target) }
        let descriptor = Descriptor(number)
        let from = try Database(path: source, migrations: nil, access: .reading)
        // Fixes the snapshot: without a transaction the copy would start over after every change by another connection.
        try from.execute("BEGIN")
        _ = try from.number("SELECT count(*) FROM sqlite_schema")
        try copy(from, to: target, pace, progress) { () throws(DatabaseError) in
            guard fdatasync(descriptor.number) == 0 else {
                throw DatabaseError(SystemError("sync", on: target), path: target)
            }
        }
        var status = stat()
        guard fsync(descriptor.number) == 0, fstat(descriptor.number, &status) == 0 else {
            throw DatabaseError(SystemError("sync", on: target), path: target)
        }
        return Int64(status.st_size)
    }

    private static func copy(
        _ from: Database, to path: String, _ pace: Pace, _ progress: Progress,
        synchronise: () throws(DatabaseError) -> Void
    ) throws(DatabaseError) {
        let target = try Database(path: path, migrations: nil, access: .asItIs)
        // The file is not visible to others before it is complete and synchronised.
        try target.execute("PRAGMA synchronous = OFF")
        guard let backup = sqlite3_backup_init(target.handle, "main", from.handle, "main") else {
            throw Database.error(target.handle, path: path, operation: "copy \(from.path) to")
        }
        var code = SQLITE_OK
        var failure: DatabaseError?
        while code == SQLITE_OK, failure == nil {
            let start = ContinuousClock.now
            code = sqlite3_backup_step(backup, pagesAtOnce)
            let total = Int(sqlite3_backup_pagecount(backup))
            progress(total - Int(sqlite3_backup_remaining(backup)), total)
            guard pace == .gentle, code == SQLITE_OK else { continue }
            do throws(DatabaseError) {
                // In small steps: a single sync at the end would block all others for its whole length.
                try synchronise()
            } catch {
                failure = error
            }
            Thread.sleep(forTimeInterval: (ContinuousClock.now - start) / .seconds(1) * rests)
        }
        let finish = sqlite3_backup_finish(backup)
        if let failure { throw failure }
        guard code == SQLITE_DONE, finish == SQLITE_OK else {
            throw Database.error(target.handle, path: path, operation: "copy \(from.path) to")
        }
        // The pages include the source's journal mode. The copy is one file: no log beside it that could be forgotten.
        try target.set("PRAGMA journal_mode = DELETE", to: "delete")
    }
}
