import DeviceEngine
import EventLog
import Foundation
import LinkProtocol
import Locking
import TestSupport
import Testing

@testable import QuizSync
@testable import RecordStorage
@testable import SessionStorage
@testable import Storage

/// A database of one kind, as tests use all three of them.
private struct Kept: Sendable, CustomTestStringConvertible {
    let testDescription: String
    /// Opens the file at a path; the result adds a row and counts the rows, each as its store does.
    let open: @Sendable (String, Logger) throws -> (add: () throws -> Void, count: () throws -> Int, close: () -> Void)

    static let quizzes = Kept(testDescription: "quizzes") { path, logger in
        let store = try SQLiteRecordStore(kind: .quizzes, path: path, logger: logger)
        return (
            {
                let quiz = Record(
                    identifier: UUID(), device: UUID(), title: "Quiz", takenAt: Date(), answerCount: 1,
                    gradePointAverage: 3, archive: Data(repeating: 7, count: 500))
                _ = try store.insert([quiz], receivedAt: Date())
            }, { try store.count() }, { store.close() }
        )
    }

    static let outbox = Kept(testDescription: "outbox") { path, logger in
        let store = OutboxStore(path: path, logger: logger)
        return (
            { _ = try store.accept([(UUID(), Data(repeating: 7, count: 500))], at: Date()) },
            { try store.pending().count }, { store.close() }
        )
    }

    static let session = Kept(testDescription: "session") { path, logger in
        let store = SessionStore(path: path, logger: logger)
        return (
            {
                _ = try store.queue(
                    OutgoingTransfer(
                        identifier: UUID(), peer: UUID(), kind: .userInfo, payload: Data(repeating: 7, count: 500),
                        queuedAt: Date()))
            }, { try store.outgoing().count }, { store.close() }
        )
    }

    static let all = [quizzes, outbox, session]
}

/// An event that affects the files of a database.
private enum Loss: String, CaseIterable, Sendable {
    case deleted, renamed, emptied, replacedByNothing, replacedByAnother, directoryRenamed

    /// The expected part of the error.
    var words: String {
        switch self {
        case .deleted, .renamed, .directoryRenamed: "is missing"
        case .emptied: "file is empty"
        case .replacedByNothing, .replacedByAnother: "was replaced by another"
        }
    }

    /// The expected part of the error of a later start.
    var wordsAtStart: String { self == .replacedByNothing ? Loss.emptied.words : words }

    func happen(to path: String, other: String) throws {
        let manager = FileManager.default
        switch self {
        case .deleted: try manager.removeItem(atPath: path)
        case .renamed: try manager.moveItem(atPath: path, toPath: path + ".away")
        case .emptied: #expect(truncate(path, 0) == 0)
        case .replacedByNothing:
            try manager.removeItem(atPath: path)
            try Data().write(to: URL(filePath: path))
        case .replacedByAnother: #expect(rename(other, path) == 0)
        case .directoryRenamed:
            let folder = URL(filePath: path).deletingLastPathComponent().path(percentEncoded: false)
            try manager.moveItem(atPath: folder, toPath: folder.dropLast() + ".away")
        }
    }
}

/// A change written over a database whose file stays the same.
private enum Overwriting: String, CaseIterable, Sendable {
    case another, olderCopy, truncatedFirst

    /// The expected part of the error of a use after the first one.
    var wordsLater: String { self == .another ? "was replaced by another" : "older copy" }

    func happen(to path: String, other: String, copy: String) throws {
        let content = try Data(contentsOf: URL(filePath: self == .another ? other : copy))
        let handle = try FileHandle(forWritingTo: URL(filePath: path))
        if self == .truncatedFirst { try handle.truncate(atOffset: 0) }
        try handle.write(contentsOf: content)
        try handle.close()
    }
}

@Suite("Guarded databases")
struct CustodyTests {
    private let scratch: Scratch
    private let path: String

    init() throws {
        scratch = try Scratch()
        try FileManager.default.createDirectory(atPath: scratch.path("state"), withIntermediateDirectories: false)
        path = scratch.path("state/db.sqlite")
    }

    /// Returns the error of a displaced database: a session's own, or a store's.
    private func displacement(_ body: () throws -> Void) -> (any Error & CustomStringConvertible)? {
        do {
            try body()
            return nil
        } catch let error as DatabaseError {
            return error.isDisplaced ? error : nil
        } catch let error as StoreError {
            return error.kind == .displaced ? error : nil
        } catch {
            return nil
        }
    }

    private func mark() -> String { DatabaseMark.path(of: path) }

    /// Creates another database of the same kind, with one row.
    private func other(_ kind: Kept) throws -> String {
        let path = scratch.path("other.sqlite")
        let store = try kind.open(path, .silent)
        try store.add()
        store.close()
        return path
    }

    @Test(
        "A change of the file of a database in use is noticed before the next answer", arguments: Kept.all,
        Loss.allCases)
    fileprivate func lostInUse(_ kind: Kept, _ loss: Loss) throws {
        let other = try other(kind)
        let store = try kind.open(path, .silent)
        for _ in 0..<3 { try store.add() }
        try loss.happen(to: path, other: other)
        let error = try #require(displacement { try store.add() })
        #expect(error.description.contains(loss.words), "\(error)")
        #expect(displacement { _ = try store.count() } != nil)
        // Nor later: no new database is created in its place.
        #expect(displacement { try store.add() } != nil)
        if loss == .replacedByAnother {
            // If the other database is accepted, it is used, without anything from the log of the first.
            try FileManager.default.removeItem(atPath: mark())
            let rows = try kind.open(path, .silent).count()
            #expect(rows == 1)
            let problems = try DatabaseCheck.problems(in: path)
            #expect(problems.isEmpty)
        }
        guard loss == .renamed else { return }
        try FileManager.default.moveItem(atPath: path + ".away", toPath: path)
        try store.add()
        let back = try store.count()
        #expect(back == 4)
    }

    @Test(
        "A start notices that the database is another one, and gives advice", arguments: Kept.all,
        Loss.allCases)
    fileprivate func lostBetweenStarts(_ kind: Kept, _ loss: Loss) throws {
        let other = try other(kind)
        let store = try kind.open(path, .silent)
        for _ in 0..<3 { try store.add() }
        store.close()
        try loss.happen(to: path, other: other)
        // If the whole directory is missing, nothing indicates the loss.
        guard loss != .directoryRenamed else { return }
        let again = try kind.open(path, .silent)
        let error = try #require(displacement { _ = try again.count() })
        #expect(error.description.contains(loss.wordsAtStart), "\(error)")
        #expect(error.description.contains("remove \(mark())"), "\(error)")
        try FileManager.default.removeItem(atPath: mark())
        let accepted = try kind.open(path, .silent)
        let rows = try accepted.count()
        #expect(rows == (loss == .replacedByAnother ? 1 : 0))
        try accepted.add()
    }

    @Test(
        "Content written over a database in use, in the same file, is noticed before the next answer",
        arguments: Kept.all, Overwriting.allCases)
    fileprivate func overwritten(_ kind: Kept, _ overwriting: Overwriting) throws {
        let other = try other(kind)
        let log = Collector<LogRecord>()
        var store = try kind.open(path, .silent)
        try store.add()
        store.close()
        let copy = scratch.path("copy.sqlite")
        try FileManager.default.copyItem(atPath: path, toPath: copy)
        try store.add()
        store.close()
        store = try kind.open(path, Logger(service: "test") { log.add($0) })
        try store.add()
        let inode = try FileManager.default.attributesOfItem(atPath: path)[.systemFileNumber] as? Int
        try overwriting.happen(to: path, other: other, copy: copy)
        let inodeNow = try FileManager.default.attributesOfItem(atPath: path)[.systemFileNumber] as? Int
        #expect(inodeNow == inode)
        let error = try #require(displacement { _ = try store.count() })
        #expect(error.description.contains("other than SQLite overwrote"), "\(error)")
        // Nor is it used later: it is recognised, and the log of the previous database is not mixed with it.
        for _ in 0..<2 {
            let later = try #require(displacement { try store.add() })
            #expect(later.description.contains(overwriting.wordsLater), "\(later)")
        }
        #expect(log.all.map(\.event) == [.databaseRepaired, .databaseUnavailable], "\(log.all)")
        let files = try FileManager.default.contentsOfDirectory(atPath: scratch.path("state"))
        #expect(files.count { $0.contains("overwritten-") && $0.hasSuffix("-wal") } == 1, "\(files)")
        try FileManager.default.removeItem(atPath: mark())
        let rows = try kind.open(path, .silent).count()
        #expect(rows == 1)
        let problems = try DatabaseCheck.problems(in: path)
        #expect(problems.isEmpty)
    }

    @Test("Writes of other programs with SQLite, even into the main file, are not a problem", arguments: Kept.all)
    fileprivate func sharedWithSQLite(_ kind: Kept) throws {
        let log = Collector<LogRecord>()
        let store = try kind.open(path, Logger(service: "test") { log.add($0) })
        try store.add()
        let person = try Database(path: path, migrations: nil)
        for round in 1...5 {
            try person.execute("CREATE TABLE IF NOT EXISTS note (text TEXT); INSERT INTO note VALUES ('\(round)')")
            // The next round starts a new log.
            try person.writeLogIntoFile(emptyingIt: round % 2 == 0)
            try store.add()
            let rows = try store.count()
            #expect(rows == round + 1)
        }
        #expect(log.all.isEmpty, "\(log.all)")
    }

    @Test("A problem is logged once, and once more when it is over, whichever use notices it", arguments: Kept.all)
    fileprivate func loggedOnce(_ kind: Kept) throws {
        let log = Collector<LogRecord>()
        let store = try kind.open(path, Logger(service: "test") { log.add($0) })
        try store.add()
        for round in 1...2 {
            try FileManager.default.moveItem(atPath: path, toPath: path + ".away")
            // A read is enough, as in `status`.
            for _ in 0..<3 { #expect(displacement { _ = try store.count() } != nil) }
            #expect(displacement { try store.add() } != nil)
            try FileManager.default.moveItem(atPath: path + ".away", toPath: path)
            for _ in 0..<3 { try store.add() }
            let expected = (0..<round).flatMap { _ in [LogEvent.databaseUnavailable, .databaseRecovered] }
            #expect(log.all.map(\.event) == expected, "\(log.all)")
        }
        try DiskFault.full.apply(to: scratch.path("state"))
        for _ in 0..<3 { #expect(throws: (any Error).self) { try store.add() } }
        // A successful read does not prove that writes work.
        _ = try store.count()
        #expect(log.all.count == 5, "\(log.all)")
        #expect(log.all.last?.event == .databaseUnavailable, "\(log.all)")
        try DiskFault.none.apply(to: scratch.path("state"))
        try store.add()
        #expect(log.all.count == 6, "\(log.all)")
        #expect(log.all.last?.event == .databaseRecovered, "\(log.all)")
    }

    @Test("A dropped last quiz is not missed by the next start, whenever the process died")
    func lastDropped() throws {
        let (first, last) = (UUID(), UUID())
        let store = OutboxStore(path: path)
        _ = try store.accept([(first, Data([1])), (last, Data([2]))], at: Date())
        try store.settle([(2, .failed, "refused")], at: Date())
        let before = try Data(contentsOf: URL(filePath: mark()))
        let dropped = try store.drop([last])
        #expect(dropped == [last])
        // As if it had been killed between the commit and its mark.
        try before.write(to: URL(filePath: mark()))
        let again = OutboxStore(path: path)
        let waiting = try again.pending().map(\.identifier)
        #expect(waiting == [first])
        // Its position is not reused, neither for a new one nor for a resent one.
        let accepted = try again.accept([(last, Data([2]))], at: Date())
        #expect(accepted == [.accepted(position: 3)])
        try again.settle([(1, .failed, "refused"), (3, .failed, "refused")], at: Date())
        let droppedAgain = try again.drop([last])
        #expect(droppedAgain == [last])
        let positions = try again.retry(nil).map(\.position)
        #expect(positions == [4])
        let sequence = try DatabaseMark.read(of: path)?.current.sequence
        #expect(sequence == 4)
    }

    @Test("A log deleted in use costs nothing; a replaced or emptied one is noticed", arguments: Kept.all)
    fileprivate func logLost(_ kind: Kept) throws {
        let log = Collector<LogRecord>()
        let store = try kind.open(path, Logger(service: "test") { log.add($0) })
        for _ in 0..<3 { try store.add() }
        try FileManager.default.removeItem(atPath: path + "-wal")
        try store.add()
        let rows = try store.count()
        #expect(rows == 4)
        let reason = LogField.reason(DatabaseRepair.logRewritten.description)
        #expect(log.all.map(\.event) == [.databaseRepaired])
        #expect(log.all.first?.fields.contains(reason) == true, "\(log.all)")
        store.close()
        let reopened = try kind.open(path, .silent).count()
        #expect(reopened == 4)

        let second = try kind.open(path, .silent)
        try second.add()
        try Data(repeating: 1, count: 100).write(to: URL(filePath: path + "-wal2"))
        #expect(rename(path + "-wal2", path + "-wal") == 0)
        #expect(displacement { try second.add() }?.description.contains("log was replaced") == true)
    }

    @Test(
        "A log deleted during a read costs nothing either: it is written after the read",
        arguments: Kept.all)
    fileprivate func logLostBesideReader(_ kind: Kept) throws {
        let store = try kind.open(path, .silent)
        try store.add()
        let reader = try Database(path: path, migrations: nil)
        try reader.execute("BEGIN")
        let tables = try reader.number("SELECT count(*) FROM sqlite_schema")
        #expect(tables > 0)
        for _ in 0..<2 { try store.add() }
        try FileManager.default.removeItem(atPath: path + "-wal")
        for _ in 0..<2 {
            let error = #expect(throws: (any Error).self) { try store.add() }
            let isBusy = (error as? DatabaseError)?.isBusy ?? ((error as? StoreError)?.kind == .unavailable)
            #expect(isBusy, "\(String(describing: error))")
        }
        try reader.execute("COMMIT")
        try store.add()
        let rows = try store.count()
        #expect(rows == 4)
        store.close()
        let reopened = try kind.open(path, .silent).count()
        #expect(reopened == 4)
    }

    @Test("A log emptied in use is noticed at the next commit, and its content is missed", arguments: Kept.all)
    fileprivate func logEmptied(_ kind: Kept) throws {
        let store = try kind.open(path, .silent)
        for _ in 0..<3 { try store.add() }
        #expect(truncate(path + "-wal", 0) == 0)
        #expect(displacement { try store.add() }?.description.contains("log was emptied") == true)
        #expect(displacement { try store.add() } != nil)
    }

    @Test(
        "A restored older copy, and a log deleted after a crash, are recognised", arguments: Kept.all
    )
    fileprivate func older(_ kind: Kept) throws {
        let store = try kind.open(path, .silent)
        try store.add()
        store.close()
        let copy = scratch.path("copy.sqlite")
        try FileManager.default.copyItem(atPath: path, toPath: copy)
        try store.add()
        store.close()
        try FileManager.default.removeItem(atPath: path)
        try FileManager.default.copyItem(atPath: copy, toPath: path)
        let error = try #require(displacement { _ = try kind.open(path, .silent).count() })
        #expect(error.description.contains("it ends at 1, the lost one ended at 2"), "\(error)")

        // As a killed process leaves it: the latest rows are only in the log.
        let killed = scratch.path("killed")
        try FileManager.default.createDirectory(atPath: killed, withIntermediateDirectories: false)
        let running = try kind.open(scratch.path("state/other.sqlite"), .silent)
        try running.add()
        for name in ["other.sqlite", ".other.sqlite.mark"] {
            try FileManager.default.copyItem(atPath: scratch.path("state/\(name)"), toPath: "\(killed)/\(name)")
        }
        #expect(displacement { _ = try kind.open(killed + "/other.sqlite", .silent).count() } != nil)
    }

    @Test("A database of an earlier version gets its mark; a deleted mark is recreated", arguments: Kept.all)
    fileprivate func unmarked(_ kind: Kept) throws {
        var store = try kind.open(path, .silent)
        try store.add()
        store.close()
        let database = try Database(path: path, migrations: nil)
        try database.execute("PRAGMA application_id = 0; PRAGMA wal_checkpoint(TRUNCATE)")
        try FileManager.default.removeItem(atPath: mark())
        store = try kind.open(path, .silent)
        let rows = try store.count()
        #expect(rows == 1)
        let sequence = try DatabaseMark.read(of: path)?.current.sequence
        #expect(sequence == 1)
        try FileManager.default.removeItem(atPath: mark())
        try store.add()
        let next = try DatabaseMark.read(of: path)?.current.sequence
        #expect(next == 2)
        try Data("garbage".utf8).write(to: URL(filePath: mark()))
        let error = #expect(throws: (any Error).self) { try kind.open(path, .silent).count() }
        #expect(error.map { "\($0)" }?.contains(mark()) == true, "\(String(describing: error))")
    }

    @Test("Its files are private to the owner, whatever the process's umask", arguments: Kept.all)
    fileprivate func modes(_ kind: Kept) throws {
        let store = try kind.open(path, .silent)
        try store.add()
        for file in [path, path + "-wal", path + "-shm", mark()] {
            let mode = try #require(FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? Int)
            #expect(mode == 0o600, "\(file) \(String(mode, radix: 8))")
        }
        store.close()
        #expect(chmod(path, 0o644) == 0)
        _ = try kind.open(path, .silent).count()
        let tightened = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
        #expect(tightened == 0o600)
    }
}
