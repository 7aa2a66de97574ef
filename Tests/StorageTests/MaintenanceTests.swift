import Foundation
import LinkProtocol
import TestSupport
import Testing

@testable import QuizStorage
@testable import SessionStorage
@testable import Storage

@Suite("Maintenance of databases")
struct MaintenanceTests {
    private let scratch: Scratch
    private let store: SQLiteQuizStore
    private let path: String
    private static let device = UUID()

    init() throws {
        scratch = try Scratch()
        path = scratch.path("quizzes.sqlite")
        store = SQLiteQuizStore(path: path)
    }

    private func quiz(_ number: Int) -> NewQuiz {
        NewQuiz(
            identifier: UUID(), device: Self.device, title: "Quiz \(number)", takenAt: Date(), answerCount: 1,
            gradePointAverage: 3, archive: Data(repeating: UInt8(number & 0xFF), count: 2_000))
    }

    private func fill(_ count: Int, at time: Date = Date()) throws {
        _ = try store.insert((0..<count).map(quiz), receivedAt: time)
    }

    private func titles(_ store: SQLiteQuizStore) throws -> [String] {
        try store.quizzes(after: 0, limit: 1_000).map(\.content.title)
    }

    @Test("A backup is complete, one file, and independent; the database stays in use meanwhile")
    func backup() throws {
        try fill(100)
        let copy = scratch.path("backup.sqlite")
        let bytes = try store.backUp(to: copy) { _, _ in }
        #expect(bytes > 200_000)
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: scratch.path).filter { $0.hasPrefix("backup") } == [
                "backup.sqlite"
            ])
        try fill(1)
        #expect(try DatabaseCheck.problems(in: copy).isEmpty)
        #expect(try titles(SQLiteQuizStore(path: copy)).count == 100)
        #expect(try store.count() == 101)
    }

    @Test("A backup is of the moment at which it began, however much is stored meanwhile")
    func backupOfOneMoment() throws {
        try fill(2_000)
        let copy = scratch.path("backup.sqlite")
        let pieces = Collector<Int>()
        _ = try store.backUp(to: copy) { done, _ in
            pieces.add(done)
            #expect(throws: Never.self) { try fill(1) }
        }
        // Nor does it restart with each change.
        #expect(pieces.all.count > 2 && pieces.all == pieces.all.sorted(), "\(pieces.all)")
        #expect(try SQLiteQuizStore(path: copy).count() == 2_000)
        #expect(try store.count() == 2_000 + pieces.all.count)
    }

    @Test("A backup that cannot be written leaves nothing behind")
    func failedBackup() throws {
        try fill(1)
        #expect(throws: DatabaseError.self) { try store.backUp(to: "/nonexistent/backup.sqlite") { _, _ in } }
        #expect(throws: DatabaseError.self) {
            try DatabaseBackup.copy(scratch.path("none.sqlite"), to: scratch.path("x"))
        }
        #expect(!FileManager.default.fileExists(atPath: scratch.path("none.sqlite")))
        #expect(!FileManager.default.fileExists(atPath: scratch.path("x.unfinished")))
    }

    @Test("A restore installs the copy and keeps the previous database; a damaged copy changes nothing")
    func restore() throws {
        try fill(3)
        let copy = scratch.path("backup.sqlite")
        _ = try store.backUp(to: copy) { _, _ in }
        let target = scratch.path("other.sqlite")
        _ = try SQLiteQuizStore(path: target).insert([quiz(9)], receivedAt: Date())
        let former = try #require(try SQLiteQuizStore.restore(copy, to: target, at: Date()))
        #expect(try titles(SQLiteQuizStore(path: target)) == ["Quiz 0", "Quiz 1", "Quiz 2"])
        #expect(try titles(SQLiteQuizStore(path: former)) == ["Quiz 9"])

        var damaged = try Data(contentsOf: URL(filePath: copy))
        damaged.replaceSubrange(4_096..<6_000, with: Data(repeating: 0xFF, count: 1_904))
        try damaged.write(to: URL(filePath: scratch.path("damaged.sqlite")))
        #expect(throws: DatabaseError.self) {
            try SQLiteQuizStore.restore(scratch.path("damaged.sqlite"), to: target, at: Date())
        }
        #expect(try titles(SQLiteQuizStore(path: target)) == ["Quiz 0", "Quiz 1", "Quiz 2"])
    }

    @Test("Compacting releases the space of deleted quizzes")
    func compact() throws {
        try fill(500)
        for stored in try store.quizzes(after: 0, limit: 450) {
            _ = try store.delete(stored.content.identifier, device: Self.device, deletedAt: Date())
        }
        let (before, after) = try store.compact(isAlone: false) { _, _ in }
        #expect(after < before / 2)
        #expect(try store.count() == 50)
        #expect(try store.problems().isEmpty)
    }

    @Test("Space is released in small steps, and others can use the database in between")
    func compactInPieces() throws {
        try fill(2_000)
        #expect(try store.expire(receivedBefore: nil, keeping: 50, limit: 5_000).count == 1_950)
        let pieces = Collector<Int>()
        let (before, after) = try store.compact(isAlone: false) { done, _ in
            pieces.add(done)
            #expect(throws: Never.self) { try fill(1) }
        }
        #expect(pieces.all.count > 2 && pieces.all == pieces.all.sorted(), "\(pieces.all)")
        #expect(after < before / 2)
    }

    @Test("Expired quizzes, and those beyond the maximum, are removed in batches, the oldest first")
    func expiry() throws {
        let now = Date()
        try fill(10, at: now - 1_000)
        try fill(10, at: now)
        #expect(try store.expire(receivedBefore: nil, keeping: nil, limit: 100).isEmpty)
        #expect(try store.expire(receivedBefore: now - 500, keeping: nil, limit: 4).count == 4)
        #expect(try store.expire(receivedBefore: now - 500, keeping: nil, limit: 100).count == 6)
        #expect(try store.count() == 10)
        let latest = try store.latestQuizzes(limit: 3).map(\.content.identifier)
        #expect(try store.expire(receivedBefore: nil, keeping: 3, limit: 100).count == 7)
        #expect(try store.latestQuizzes(limit: 10).map(\.content.identifier) == latest)
    }

    @Test("A pairing code's hash and its attempts survive; there is at most one")
    func pairing() throws {
        let session = SessionStore(path: scratch.path("session.sqlite"))
        #expect(try session.pairingCode() == nil)
        try session.keep(PairingCode(hash: "old"))
        var code = PairingCode(hash: "new")
        let spent = (0...PairingCode.attempts).map { _ in code.spendAttempt() }
        #expect(spent.count { $0 } == PairingCode.attempts && spent.last == false)
        try session.keep(code)
        #expect(try SessionStore(path: scratch.path("session.sqlite")).pairingCode() == code)
        try session.keep(nil)
        #expect(try session.pairingCode() == nil)
    }
}
