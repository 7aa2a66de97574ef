import CSQLite
package import EventLog
import Files
import Foundation
import Glibc
import Locking

/// A database file that may be used from any thread, one use at a time, and that is opened again after trouble.
///
/// Before and after each use its files are looked at: what was written to a file that lost its name is told to nobody as stored. A
/// ``DatabaseMark`` beside it says which database belongs there.
package final class DatabaseFile: Sendable {
    private struct State {
        var database: Database?
        /// The mark as it was last read or written: it is known even when it is gone together with the database.
        var mark: DatabaseMark?
        /// Set from the first failure until a use shows that it is over.
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

    /// Closes the connection, which writes everything into the one file: whoever copies it then has all of it. The next use
    /// opens it again.
    package func close() {
        state.withLock { state in
            // A file that lost its name is left as it is; the error is the next use's.
            if let database = state.database, database.displacement != nil { try? database.abandonFiles() }
            state.database = nil
        }
    }

    /// Uses the database; blocks until earlier uses are done. Trouble is logged once, and its end.
    ///
    /// - Throws: An error that ``DatabaseError/isDisplaced`` for a database that is not the right one, or not any more: what
    ///   `body` did is then as good as not done.
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
                    try state.mark?.advance(to: database.number(schema.lastSequence), of: path)
                }
                try look(&state)
                // What was written may have gone with a log that lost its name; opening the file shows how far it is.
                if state.database == nil { _ = try opened(&state) }
                recover(&state)
                return result
            } catch {
                DatabaseHealth.process.failed(error, in: path, whileOpening: state.database == nil, at: Date())
                // Whoever wanted something tries again soon: the first failure is news, the others are not.
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

    /// Compares the open files with what their names stand for. A log that only lost its name is still whole.
    private func look(_ state: inout State) throws(DatabaseError) {
        guard let database = state.database, let displacement = database.displacement else { return }
        // As long as that fails, because somebody reads, this connection alone knows what the log holds: it stays.
        if displacement == .logGone { try database.writeLogIntoFile() }
        state.database = nil
        switch displacement {
        case .gone, .replaced:
            do throws(DatabaseError) {
                // The file that lost its name gets all that is its own, and what has the name now gets no log of another's.
                try database.writeLogIntoFile(emptyingIt: true)
            } catch {
                // That the file is not in its place is what counts.
            }
        case .emptied, .overwritten, .older, .logGone, .logReplaced, .logEmptied: break
        }
        try database.abandonFiles()
        if displacement == .emptied || displacement == .overwritten { try putLogAside() }
        guard displacement == .logGone else { throw DatabaseError(displacement, path: path) }
        repaired(.logRewritten)
    }

    /// What is in the file now must not be mixed with the log of what was there; nothing of that is removed.
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
        state.mark = try settle(mark, found, database, end)
        state.database = database
        DatabaseHealth.process.opened(path)
        return database
    }

    /// Looks at what is there before SQLite does, which would make a new database of nothing.
    private func prepareFile(_ mark: DatabaseMark?) throws(DatabaseError) {
        var status = stat()
        guard stat(path, &status) == 0 else {
            guard errno == ENOENT || errno == ENOTDIR else {
                throw DatabaseError(SystemError("look at", on: path), path: path)
            }
            guard mark == nil else { throw DatabaseError(.gone, path: path) }
            return try makeFile()
        }
        if status.st_size == 0, mark != nil { throw DatabaseError(.emptied, path: path) }
        // SQLite gives its log the same mode. What is in it is its owner's alone, whatever a process' umask.
        guard status.st_mode & 0o077 != 0, status.st_uid == geteuid() else { return }
        guard chmod(path, 0o600) == 0 else { throw DatabaseError(SystemError("chmod", on: path), path: path) }
    }

    private func makeFile() throws(DatabaseError) {
        let number = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard number >= 0 else {
            // Another process was first.
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

    /// The entry of a mark that a database is; nil if there is no mark.
    private static func expected(
        _ mark: DatabaseMark?, _ identifier: UInt32, _ path: String
    ) throws(DatabaseError) -> DatabaseMark.Entry? {
        guard let mark else { return nil }
        if mark.current.identifier == identifier { return mark.current }
        if let successor = mark.successor, successor.entry.identifier == identifier { return successor.entry }
        throw DatabaseError(.replaced, path: path)
    }

    /// The mark of a database that is the right one; written if it is new, or if a restore was interrupted.
    private func settle(
        _ mark: DatabaseMark?, _ found: DatabaseMark.Entry?, _ database: Database, _ end: Int64
    ) throws(DatabaseError) -> DatabaseMark {
        guard let mark, var found else {
            // One that was used before, and whose mark was removed, keeps its number.
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
