import Foundation
import LinkProtocol
import Locking
import TestSupport
import Testing

@testable import QuizSync
@testable import RecordStorage
@testable import Storage

@Suite("Restoring a database")
struct RestoreTests {
    private let scratch: Scratch
    private let path: String
    private let backup: String

    /// A database with the quizzes 0 to 2, and a backup with the quiz 9.
    init() throws {
        scratch = try Scratch()
        path = scratch.path("quizzes.sqlite")
        backup = scratch.path("backup.sqlite")
        let store = try SQLiteRecordStore(kind: .quizzes, path: scratch.path("elsewhere.sqlite"))
        _ = try store.insert([Self.quiz(9)], receivedAt: Date())
        _ = try store.backUp(to: backup) { _, _ in }
        let own = try SQLiteRecordStore(kind: .quizzes, path: path)
        for number in 0..<3 { _ = try own.insert([Self.quiz(number)], receivedAt: Date()) }
        own.close()
    }

    private static func quiz(_ number: Int) -> Record {
        Record(
            identifier: UUID(), device: UUID(), title: "Quiz \(number)", takenAt: Date(), answerCount: 1,
            gradePointAverage: 3, archive: Data(repeating: UInt8(number), count: 2_000))
    }

    private func titles(_ path: String) throws -> [String] {
        try SQLiteRecordStore(kind: .quizzes, path: path).records(after: .start, limit: 100).map(\.record.title)
    }

    private func restore() throws -> String? {
        try SQLiteRecordStore(kind: .quizzes, path: path).restore(from: backup, at: Date())
    }

    private func formerDatabases() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: scratch.path).filter { $0.contains("before-restore") }
    }

    @Test("An open database is not replaced, and nothing is changed")
    func inUse() throws {
        let reader = try Database(path: path, migrations: nil)
        try reader.execute("BEGIN")
        _ = try reader.number("SELECT count(*) FROM quizzes")
        let writer = try SQLiteRecordStore(kind: .quizzes, path: path)
        _ = try writer.insert([Self.quiz(3)], receivedAt: Date())
        let error = #expect(throws: StoreError.self) { try restore() }
        #expect(error?.kind == .unavailable, "\(String(describing: error))")
        try reader.execute("COMMIT")
        // An idle connection holds its claim as well.
        #expect(throws: StoreError.self) { try restore() }
        let rows = try writer.count()
        #expect(rows == 4)
        let former = try formerDatabases()
        #expect(former.isEmpty)
        #expect(!FileManager.default.fileExists(atPath: path + ".restoring"))
    }

    @Test("Rows in the log of a killed process are in the database that is kept")
    func log() throws {
        // The files as a killed process leaves them: with rows only in the log.
        let killed = scratch.path("killed.sqlite")
        let store = try SQLiteRecordStore(kind: .quizzes, path: path)
        for number in 3..<33 { _ = try store.insert([Self.quiz(number)], receivedAt: Date()) }
        for suffix in ["", "-wal"] {
            try FileManager.default.copyItem(atPath: path + suffix, toPath: killed + suffix)
        }
        let former = try #require(try SQLiteRecordStore(kind: .quizzes, path: killed).restore(from: backup, at: Date()))
        let formerTitles = try titles(former)
        #expect(formerTitles == (0..<33).map { "Quiz \($0)" })
        let restored = try titles(killed)
        #expect(restored == ["Quiz 9"])
    }

    @Test("A missing database is replaced; its leftover log is put aside, not used with the new one")
    func gone() throws {
        let store = try SQLiteRecordStore(kind: .quizzes, path: path)
        _ = try store.insert([Self.quiz(3)], receivedAt: Date())
        let log = try Data(contentsOf: URL(filePath: path + "-wal"))
        store.close()
        try FileManager.default.removeItem(atPath: path)
        try log.write(to: URL(filePath: path + "-wal"))
        let former = try restore()
        #expect(former == nil)
        let restored = try titles(path)
        #expect(restored == ["Quiz 9"])
        let kept = try #require(try formerDatabases().first)
        #expect(kept.hasSuffix("-wal"))
        let keptLog = try Data(contentsOf: URL(filePath: scratch.path(kept)))
        #expect(keptLog == log)
    }

    @Test("A database that WatchLink did not write is not installed")
    func foreign() throws {
        let foreign = scratch.path("foreign.sqlite")
        try Database(path: foreign, migrations: nil).execute("CREATE TABLE t (x)")
        let error = #expect(throws: StoreError.self) {
            try SQLiteRecordStore(kind: .quizzes, path: path).restore(from: foreign, at: Date())
        }
        #expect(error?.description.contains("WatchLink did not write it") == true)
        #expect(throws: StoreError.self) {
            let outbox = OutboxStore(path: scratch.path("outbox.sqlite"))
            _ = try outbox.counts()
            outbox.close()
            _ = try SQLiteRecordStore(kind: .quizzes, path: path).restore(
                from: scratch.path("outbox.sqlite"), at: Date())
        }
        let left = try titles(path)
        #expect(left == ["Quiz 0", "Quiz 1", "Quiz 2"])
    }

    @Test("After a restore the previous database is recognised as older, and the restored one is current")
    func afterwards() throws {
        let former = try #require(try restore())
        let restored = try titles(path)
        #expect(restored == ["Quiz 9"])
        try FileManager.default.removeItem(atPath: path)
        try FileManager.default.moveItem(atPath: former, toPath: path)
        let error = #expect(throws: StoreError.self) { try SQLiteRecordStore(kind: .quizzes, path: path).count() }
        #expect(error?.kind == .displaced)
    }

    @Test("A restore that cannot continue is undone")
    func undone() throws {
        let time = Date()
        // The name for the previous database is taken.
        let taken = path + ".before-restore-\(time.milliseconds)"
        try Data("taken".utf8).write(to: URL(filePath: taken))
        #expect(throws: StoreError.self) {
            try SQLiteRecordStore(kind: .quizzes, path: path).restore(from: backup, at: time)
        }
        let left = try titles(path)
        #expect(left == ["Quiz 0", "Quiz 1", "Quiz 2"])
        let content = try Data(contentsOf: URL(filePath: taken))
        #expect(content == Data("taken".utf8))
        let former = try restore()
        #expect(former != nil)
        let restored = try titles(path)
        #expect(restored == ["Quiz 9"])
    }
}
