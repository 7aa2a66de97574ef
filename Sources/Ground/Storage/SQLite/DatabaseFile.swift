import CSQLite
package import EventLog
import Files
import Foundation
import Glibc
import Locking

/// A database file that any thread may use, one at a time, and that is reopened after failures.
///
/// Its files are checked before and after each use: data written to a file that lost its name is never reported as
/// stored. A ``DatabaseMark`` beside the file says which database belongs there.
package final class DatabaseFile: Sendable {
    private struct State {
        var database: Database?
        /// The mark as last read or written: known even if the file is gone together with the database.
        var mark: DatabaseMark?
        var markFile: MarkFile?
        /// True from the first failure until a use succeeds.
        var isInTrouble = false
    }

    private let path: String
    private let schema: DatabaseSchema
    private let logger: Logger
    private let state = Mutex(State())

    package init(path: String, schema: DatabaseSchema, logger: Logger) {
        self.path = path
        self.schema = schema
        self.logger = logger
    }

    /// Closes the connection, which writes everything into the one file, so that a copy of it is complete. It is
    /// reopened on the next use.
    package func close() {
        state.withLock { state in
            // A file that lost its name is left untouched; the next use reports the error.
            if let database = state.database, database.displacement != nil { try? database.abandonFiles() }
            state.database = nil
        }
    }

    /// Runs `body` with the database; blocks until earlier uses are done. Logs the first failure and the recovery.
    ///
    /// - Throws: An error with ``DatabaseError/isDisplaced`` if the database is not, or is no longer, the right one:
    ///   the work of `body` must then be treated as lost.
    package func use<Result: Sendable>(
        _ body: @Sendable (Database) throws(DatabaseError) -> Result
    ) throws(DatabaseError) -> Result {
        try state.withLock { state throws(DatabaseError) in
            do throws(DatabaseError) {
                try look(&state)
                let database = try opened(&state)
                let changes = database.totalChanges
                let result = try body(database)
                if database.totalChanges != changes {
                    let last =
                        if let committed = database.takeCommittedNumber() { committed } else {
                            try database.number(schema.lastSequence)
                        }
                    try state.mark?.advance(to: last, of: path, in: &state.markFile)
                }
                try look(&state)
                // The written rows may have been lost with a displaced log; opening the file shows the state on disk.
                if state.database == nil { _ = try opened(&state) }
                recover(&state)
                return result
            } catch {
                DatabaseHealth.process.failed(error, in: path, whileOpening: state.database == nil, at: Date())
                // Callers retry soon: only the first failure is logged.
                if !state.isInTrouble { logger.log(.databaseUnavailable, [.error(error)]) }
                state.isInTrouble = true
                if error.needsReopening { state.database = nil }
                throw error
            }
        }
    }

    private func recover(_ state: inout State) {
        guard state.isInTrouble, !DatabaseHealth.process.isInTrouble(path) else { return }
        state.isInTrouble = false
        logger.log(.databaseRecovered, [.path(path)])
    }

    private func repaired(_ repair: DatabaseRepair) {
        logger.log(.databaseRepaired, [.path(path), .reason(repair.description)])
    }

    // MARK: - Custody

    /// Compares the open files with those at their paths. A log that only lost its name is still complete.
    private func look(_ state: inout State) throws(DatabaseError) {
        guard let database = state.database, let displacement = database.displacement else { return }
        // If this fails because of a reader, only this connection has the log's content: it stays open.
        if displacement == .logGone { try database.writeLogIntoFile() }
        state.database = nil
        switch displacement {
        case .gone, .replaced:
            do throws(DatabaseError) {
                // The displaced file gets the content of its log, and the file that has the name now gets no foreign
                // log.
                try database.writeLogIntoFile(emptyingIt: true)
            } catch {
                // The missing file is the error to report.
            }
        case .emptied, .overwritten, .older, .logGone, .logReplaced, .logEmptied: break
        }
        try database.abandonFiles()
        if displacement == .emptied || displacement == .overwritten { try putLogAside() }
        guard displacement == .logGone else { throw DatabaseError(displacement, path: path) }
        repaired(.logRewritten)
    }

    /// Renames the log of the previous content, so that it is not mixed with the present content. Nothing is removed.
    private func putLogAside() throws(DatabaseError) {
        let directory = DurableDirectory(of: path)
        let name = "\(path.split(separator: "/").last ?? "").overwritten-\(Date().milliseconds)"
        do throws(SystemError) {
            if let log = try DatabaseRestore.putLogAside(of: path, as: name, in: directory) {
                repaired(.logPutAside(name: log))
            }
        } catch {
            throw DatabaseError(error, path: path)
        }
    }

    private func opened(_ state: inout State) throws(DatabaseError) -> Database {
        if let database = state.database { return database }
        let mark = try DatabaseMark.read(of: path) ?? state.mark
        try prepareFile(mark)
        var found: DatabaseMark.Entry?
        let database = try Database(path: path, migrations: schema.migrations) { database throws(DatabaseError) in
            found = try Self.expected(mark, database.identifier, path)
        }
        let end = try database.number(schema.lastSequence)
        if let found, end < found.sequence {
            throw DatabaseError(.older(end: end, known: found.sequence), path: path)
        }
        if let adjust = schema.adjust, let change = try adjust(database) {
            logger.log(.databaseAdjusted, [.path(path), .reason(change)])
        }
        state.mark = try settle(mark, found, database, end)
        // The former one may belong to files that were moved away.
        state.markFile = nil
        database.numberQuery = schema.lastSequence
        state.database = database
        DatabaseHealth.process.opened(path)
        return database
    }

    /// Checks the file before SQLite opens it, which would create a new database at an empty path.
    private func prepareFile(_ mark: DatabaseMark?) throws(DatabaseError) {
        var status = stat()
        guard stat(path, &status) == 0 else {
            guard errno == ENOENT || errno == ENOTDIR else {
                throw DatabaseError(SystemError("inspect", on: path), path: path)
            }
            guard mark == nil else { throw DatabaseError(.gone, path: path) }
            return try makeFile()
        }
        if status.st_size == 0, mark != nil { throw DatabaseError(.emptied, path: path) }
        // SQLite gives its log the same mode. The content is private to its owner, whatever the process's umask.
        guard status.st_mode & 0o077 != 0, status.st_uid == geteuid() else { return }
        guard chmod(path, 0o600) == 0 else { throw DatabaseError(SystemError("chmod", on: path), path: path) }
    }

    private func makeFile() throws(DatabaseError) {
        let number = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard number >= 0 else {
            // Another process created it first.
            guard errno != EEXIST else { return }
            throw DatabaseError(
                code: SQLITE_CANTOPEN, path: path, operation: "open", detail: String(cString: strerror(errno)))
        }
        _ = Descriptor(number)
        do {
            let directory = DurableDirectory(of: path)
            try directory.giveToOwner(path)
            try directory.synchronise()
        } catch {
            throw DatabaseError(error, path: path)
        }
    }

    /// Returns the entry of the mark that matches the database; nil if there is no mark.
    private static func expected(
        _ mark: DatabaseMark?, _ identifier: UInt32, _ path: String
    ) throws(DatabaseError) -> DatabaseMark.Entry? {
        guard let mark else { return nil }
        if mark.current.identifier == identifier { return mark.current }
        if let successor = mark.successor, successor.entry.identifier == identifier { return successor.entry }
        throw DatabaseError(.replaced, path: path)
    }

    /// Returns the mark of the right database, and writes it if it is new or a restore was interrupted.
    private func settle(
        _ mark: DatabaseMark?, _ found: DatabaseMark.Entry?, _ database: Database, _ end: Int64
    ) throws(DatabaseError) -> DatabaseMark {
        guard let mark, var found else {
            // A used database whose mark was removed keeps its identifier.
            let identifier = database.identifier != 0 ? database.identifier : Database.newIdentifier()
            if identifier != database.identifier { try database.setIdentifier(identifier) }
            let new = DatabaseMark(current: DatabaseMark.Entry(identifier: identifier, sequence: end))
            try new.write(of: path)
            return new
        }
        found.sequence = max(found.sequence, end)
        guard let successor = mark.successor else {
            return DatabaseMark(current: found)
        }
        let isFinished = successor.entry.identifier == found.identifier
        if !isFinished { DatabaseRestore.removeTraces(of: successor, at: path) }
        let settled = DatabaseMark(current: found)
        try settled.write(of: path)
        repaired(isFinished ? .restoreFinished(formerName: successor.formerName) : .restoreUndone)
        return settled
    }
}
