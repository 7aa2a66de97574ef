import DeviceEngine
import Dispatch
import Foundation
import LinkProtocol
import Locking
import TestSupport
import Testing

@testable import QuizSync
@testable import RecordStorage
@testable import SessionStorage
@testable import Storage

@Suite("Migrations")
struct MigrationTests {
    private let scratch: Scratch
    private let now = Date(timeIntervalSince1970: 3000)

    init() throws { scratch = try Scratch() }

    /// Creates a file of an earlier version.
    private func formerFile(_ migrations: [String], _ sql: String) throws -> String {
        let path = scratch.path("db.sqlite")
        try Database(path: path, migrations: Migrations(migrations)).execute(sql)
        return path
    }

    @Test("Connections that open a new file at the same moment create its schema once")
    func concurrentOpening() throws {
        let migrations: Migrations = ["CREATE TABLE a (x)", "CREATE TABLE b (x)", "INSERT INTO a VALUES (1)"]
        let errors = Mutex<[String]>([])
        for file in 0..<20 {
            let path = scratch.path("\(file).sqlite")
            DispatchQueue.concurrentPerform(iterations: 8) { _ in
                do {
                    _ = try Database(path: path, migrations: migrations)
                } catch {
                    errors.withLock { $0.append("\(error)") }
                }
            }
            let rows = try Database(path: path, migrations: nil).number("SELECT count(*) FROM a")
            #expect(rows == 1, "the last migration was applied once")
        }
        let found = errors.withLock(\.self)
        #expect(found == [])
    }

    @Test("A new file gets its whole schema or none of it; one with rows keeps the steps before one that fails")
    func failingStep() throws {
        let good = ["CREATE TABLE a (x)", "CREATE TABLE b (x)", "CREATE TABLE c (x)"]
        let bad = Migrations(good + ["CREATE TABLE a (x)"])
        func tables(_ path: String) throws -> [Int64] {
            let database = try Database(path: path, migrations: nil)
            return [
                try database.number("PRAGMA user_version"), try database.number("SELECT count(*) FROM sqlite_schema"),
            ]
        }
        let new = scratch.path("new.sqlite")
        #expect(throws: DatabaseError.self) { try Database(path: new, migrations: bad) }
        #expect(try tables(new) == [0, 0])
        _ = try Database(path: new, migrations: Migrations(good))
        #expect(try tables(new) == [3, 3])
        let used = try formerFile([good[0]], "INSERT INTO a VALUES (1)")
        #expect(throws: DatabaseError.self) { try Database(path: used, migrations: bad) }
        #expect(try tables(used) == [3, 3])
    }

    @Test("A new file has at once what all steps leave", arguments: Schema.allCases)
    func latest(schema: Schema) throws {
        let migrations = schema.migrations
        let latest = try #require(migrations.latest)
        func content(_ name: String, _ migrations: Migrations) throws -> [String] {
            let path = scratch.path("\(name).sqlite")
            // The second time, everything is there.
            for _ in 1...2 { _ = try Database(path: path, migrations: migrations) }
            return try Self.content(of: try Database(path: path, migrations: nil))
        }
        let stepwise = try content("stepwise", Migrations(migrations.steps))
        #expect(stepwise.count > 3)
        let atOnce = try content("at-once", Migrations(migrations.steps, latest: latest))
        #expect(atOnce == stepwise)
        let used = scratch.path("used.sqlite")
        _ = try Database(path: used, migrations: Migrations(Array(migrations.steps.prefix(1))))
        _ = try Database(path: used, migrations: migrations)
        let upgraded = try Self.content(of: try Database(path: used, migrations: nil))
        #expect(upgraded == stepwise, "a file of the first version takes the other steps")
    }

    /// The databases whose schemas have several versions.
    enum Schema: CaseIterable {
        case quizzes, outbox, session

        var migrations: Migrations {
            switch self {
            case .quizzes: QuizSchema.migrations
            case .outbox: OutboxSchema.migrations
            case .session: SessionSchema.migrations
            }
        }
    }

    /// Returns the version, the tables with their rules, and the rows that are there from the start; without SQLite's table of
    /// sequence numbers, which a former step leaves empty where no present table uses it.
    private static func content(of database: Database) throws -> [String] {
        func rows(_ sql: String) throws -> [String] {
            let statement = try database.statement(sql)
            defer { statement.reset() }
            var rows: [String] = []
            while try statement.step() { rows.append(statement.text(0)) }
            return rows
        }
        let isOurs = "name <> 'sqlite_sequence'"
        let tables = try rows("SELECT name FROM sqlite_schema WHERE type = 'table' AND \(isOurs) ORDER BY name")
        return try rows("SELECT user_version FROM pragma_user_version")
            + rows(
                "SELECT type || ' ' || name || ' ' || coalesce(sql, '') FROM sqlite_schema WHERE \(isOurs) ORDER BY type, name"
            )
            + tables.map { "\($0): \(try database.number("SELECT count(*) FROM \($0)")) rows" }
    }

    @Test("A new file has a log, and frees pages in pieces")
    func newFile() throws {
        let database = try Database(path: scratch.path("new.sqlite"), migrations: [])
        let mode = try database.statement("PRAGMA journal_mode")
        #expect(try mode.step())
        #expect(mode.text(0) == "wal")
        mode.reset()
        #expect(try database.number("PRAGMA auto_vacuum") == 2)
    }

    @Test("Quizzes are kept, with their sequence numbers, and none of these is reused", arguments: 1...2)
    func quizzes(version: Int) throws {
        let (kept, deleted, device) = (UUID(), UUID(), UUID())
        func row(_ identifier: UUID) -> String {
            """
            INSERT INTO quizzes (identifier, device, title, taken_at, answer_count, grade_point_average, archive, received_at)
            VALUES ('\(identifier)', '\(device)', 'former', 1000, 1, 4.0, x'01', 2000);
            """
        }
        let path = try formerFile(
            Array(QuizSchema.migrations.steps.prefix(version)),
            row(kept) + row(deleted) + "DELETE FROM quizzes WHERE sequence = 2")
        let store = try SQLiteRecordStore(kind: .quizzes, path: path)
        let sequences = try store.records(identifier: kept).map(\.sequence)
        #expect(sequences == [1])
        let quiz = Record(
            identifier: UUID(), device: device, title: "new", takenAt: now, answerCount: 1, gradePointAverage: 4,
            archive: Data([2]))
        let inserted = try store.insert([quiz], receivedAt: now)
        #expect(inserted == [.stored(sequence: 3)])
        let isDeleted = try store.delete(RecordKey(quiz.identifier, device: device), deletedAt: now)
        #expect(isDeleted)
        let repeated = try store.insert([quiz], receivedAt: now)
        #expect(repeated == [.repeated], "what was deleted stays so")
        let next = Record(
            identifier: UUID(), device: device, title: "next", takenAt: now, answerCount: 1, gradePointAverage: 4,
            archive: Data([3]))
        let insertedNext = try store.insert([next], receivedAt: now)
        #expect(insertedNext == [.stored(sequence: 4)])
        let readable = try Database(path: path, migrations: nil).statement(
            "SELECT title, identifier, device FROM readable_quizzes")
        let hasRow = try readable.step()
        #expect(hasRow)
        #expect(readable.text(0) == "former")
        #expect(readable.text(1) == kept.uuidString)
        #expect(readable.text(2) == device.uuidString)
    }

    @Test("Deleted rows and rows that are not quizzes are not migrated")
    func deletedQuizzes() throws {
        let (deleted, device) = (UUID(), UUID())
        let sql = """
            INSERT INTO deleted_quizzes VALUES ('\(deleted)', '\(device)', 5);
            INSERT INTO quizzes (identifier, device, title, taken_at, answer_count, grade_point_average, archive, received_at)
            VALUES ('a person wrote this', '\(device)', 'former', 1000, 1, 4.0, x'01', 2000);
            """
        let store = try SQLiteRecordStore(
            kind: .quizzes, path: try formerFile(Array(QuizSchema.migrations.steps.prefix(2)), sql))
        let rows = try store.count()
        #expect(rows == 0)
        let quiz = Record(
            identifier: deleted, device: device, title: "late", takenAt: now, answerCount: 1, gradePointAverage: 4,
            archive: Data([2]))
        let outcomes = try store.insert([quiz], receivedAt: now)
        #expect(outcomes == [.repeated])
    }

    @Test("An outbox keeps pending entries in order, and ended ones", arguments: 1...2)
    func outbox(version: Int) throws {
        let identifiers = (0..<3).map { _ in UUID() }
        let rows = zip(identifiers, ["replied", "pending", "failed"]).map {
            "INSERT INTO outbox (identifier, archive, state, accepted_at) VALUES ('\($0)', x'07', '\($1)', 1);"
        }
        let store = OutboxStore(
            path: try formerFile(Array(OutboxSchema.migrations.steps.prefix(version)), rows.joined()))
        let waiting = try store.pending().map(\.identifier)
        #expect(waiting == [identifiers[1]])
        let archive = try store.archive(identifiers[1])
        #expect(archive == Data([7]))
        let counts = try store.counts()
        #expect(counts == [.pending: 1, .replied: 1, .failed: 1])
        let accepted = try store.accept([(UUID(), Data([8]))], at: now)
        #expect(accepted == [.accepted(position: 4)])
    }

    @Test("A session keeps its transfers, its watches and the seen transfers")
    func session() throws {
        let (queued, arrived, peer) = (UUID(), UUID(), UUID())
        let sql = """
            INSERT INTO outgoing (position, identifier, peer, kind, payload, queued_at)
            VALUES (7, '\(queued)', '\(peer)', 'user info', x'01', 1000);
            INSERT INTO inbox (position, identifier, peer, kind, payload, received_at)
            VALUES (8, '\(arrived)', '\(peer)', 'user info', x'02', 1000), (9, '\(UUID())', '\(peer)', 'user info', x'02', 1000);
            DELETE FROM inbox WHERE position = 9;
            INSERT INTO seen (peer, identifier) VALUES ('\(peer)', '\(arrived)');
            INSERT INTO contexts VALUES ('\(peer)', 'received', x'03');
            INSERT INTO companions VALUES ('\(peer)', 'former', 1, 1, 0, 1, 0, 0);
            """
        let store = SessionStore(path: try formerFile(Array(SessionSchema.migrations.steps.prefix(3)), sql))
        let outgoing = try store.outgoing().map(\.identifier)
        #expect(outgoing == [queued])
        let watches = try store.companions().map(\.companion.identifier)
        #expect(watches == [peer])
        let inbox = try store.inbox(after: 0, limit: 10).map(\.identifier)
        #expect(inbox == [arrived])
        let received = try store.contexts().received
        #expect(received == [peer: Data([3])])
        let again = ReceivedTransfer(
            identifier: arrived, peer: peer, kind: .userInfo, payload: Data([2]), receivedAt: now)
        let next = ReceivedTransfer(
            identifier: UUID(), peer: peer, kind: .userInfo, payload: Data([4]), receivedAt: now)
        let outcomes = try store.receive([again, next])
        #expect(outcomes == [.repeated, .stored(replaced: nil)])
        let later = try store.inbox(after: 9, limit: 10).map(\.identifier)
        #expect(later == [next.identifier], "no position is used again")
    }

    @Test("A ledger keeps its entries and their order")
    func ledger() throws {
        let identifiers = (0..<2).map { _ in UUID() }
        let rows = zip(identifiers, [9, 8]).map {
            """
            INSERT INTO ledger (identifier, direction, kind, bytes, state, attempts, sent_at, change)
            VALUES ('\($0)', 'outgoing', 'message', 5, 'sent', 1, 1000000, \($1));
            """
        }
        let store = SessionStore(path: try formerFile(Array(SessionSchema.migrations.steps.prefix(2)), rows.joined()))
        let former = try store.ledger(LedgerQuery()).map(\.identifier)
        #expect(former == Array(identifiers.reversed()))
        var news = LedgerEntry(
            identifier: identifiers[1], direction: .outgoing, kind: .message, device: nil, bytes: 0, state: .replied)
        news.become(.replied, at: now)
        try store.write(LedgerBatch([news], capacity: 10))
        let entries = try store.ledger(LedgerQuery())
        #expect(entries.map(\.identifier) == identifiers)
        #expect(entries[1].sentAt == Date(timeIntervalSince1970: 1))
        #expect(entries[1].state == .replied)
        #expect(entries[1].bytes == 5)
        #expect(entries[1].sequence == 10)
    }

    @Test("Replied entries beyond the limit are removed, the oldest first")
    func pruned() throws {
        let store = OutboxStore(path: scratch.path("db.sqlite"))
        let entries = (0..<10_010).map { _ in (identifier: UUID(), archive: Data([1])) }
        _ = try store.accept(entries, at: now)
        try store.prune()
        // The fourth stays open, and is not counted.
        try store.settle((1...10_010).filter { $0 != 4 }.map { ($0, .replied, nil) }, at: now)
        try store.prune()
        let counts = try store.counts()
        #expect(counts == [.pending: 1, .replied: 10_000])
        let pruned = try store.entry(entries[9].identifier)
        #expect(pruned == nil)
        let kept = try store.entry(entries[10].identifier)
        #expect(kept != nil)
    }
}
