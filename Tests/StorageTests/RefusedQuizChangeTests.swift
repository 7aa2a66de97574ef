import Foundation
import TestSupport
import Testing

@testable import QuizSync
@testable import RecordStorage
@testable import Storage

/// Nobody is told that a quiz is stored, changed or gone if one of the statements for it failed.
@Suite("Refused changes of quizzes")
struct RefusedQuizChangeTests {
    /// A change, and what a trigger refuses: “INSERT ON quizzes”.
    private typealias Change = (statement: String, run: () throws -> Void)

    private let scratch: Scratch
    private let now = Date(timeIntervalSince1970: 2000)

    init() throws { scratch = try Scratch() }

    private func refuse(_ statement: String, in file: DatabaseFile) throws {
        let sql = "CREATE TRIGGER refusal BEFORE \(statement) BEGIN SELECT RAISE(ABORT, 'refused'); END"
        try file.use { database throws(DatabaseError) in try database.execute(sql) }
    }

    private func allow(in file: DatabaseFile) throws {
        try file.use { database throws(DatabaseError) in try database.execute("DROP TRIGGER refusal") }
    }

    /// Makes each change while its statement is refused, and then all of them.
    private func check(_ changes: [Change], in file: DatabaseFile) throws {
        for change in changes {
            try refuse(change.statement, in: file)
            let error = #expect(throws: StoreError.self, "\(change.statement)") { try change.run() }
            #expect(error?.kind == .refused, "\(change.statement)")
            #expect(error?.description.contains(": refused (SQLite") == true, "\(change.statement)")
            try allow(in: file)
        }
        for change in changes { #expect(throws: Never.self, "\(change.statement)") { try change.run() } }
    }

    @Test("A statement that fails is an error of the change of a quiz store, which then works again")
    func quizzes() throws {
        let store = try SQLiteRecordStore(kind: .quizzes, path: scratch.path("quizzes.sqlite"))
        let (first, second) = (quiz(), quiz())
        _ = try store.insert([first, second], receivedAt: now)
        let changes: [Change] = [
            ("INSERT ON quizzes", { _ = try store.insert([quiz()], receivedAt: now) }),
            ("INSERT ON devices", { _ = try store.insert([quiz()], receivedAt: now) }),
            ("UPDATE ON quizzes", { _ = try store.update(first, updatedAt: now) }),
            (
                "DELETE ON quizzes",
                { _ = try store.delete(RecordKey(first.identifier, device: first.device), deletedAt: now) }
            ),
            (
                "INSERT ON deleted_quizzes",
                { _ = try store.delete(RecordKey(second.identifier, device: second.device), deletedAt: now) }
            ),
            ("DELETE ON quizzes", { _ = try store.expire(receivedBefore: nil, keeping: 0, limit: 9) }),
        ]
        try check(changes, in: store.file)
        let left = try store.count()
        #expect(left == 0)
    }

    @Test("A quiz whose deletion could not be remembered is still there, and a refused insertion takes no number")
    func undone() throws {
        let store = try SQLiteRecordStore(kind: .quizzes, path: scratch.path("quizzes.sqlite"))
        let kept = quiz()
        _ = try store.insert([kept], receivedAt: now)
        try refuse("INSERT ON deleted_quizzes", in: store.file)
        #expect(throws: StoreError.self) {
            try store.delete(RecordKey(kept.identifier, device: kept.device), deletedAt: now)
        }
        try allow(in: store.file)
        let contents = try store.records(after: .start, limit: 9).map(\.record)
        #expect(contents == [kept])
        try refuse("INSERT ON quizzes WHEN new.title = 'refused'", in: store.file)
        #expect(throws: StoreError.self) {
            try store.insert([quiz(), quiz(title: "refused")], receivedAt: now)
        }
        try allow(in: store.file)
        let outcomes = try store.insert([quiz()], receivedAt: now)
        #expect(outcomes == [.stored(sequence: 2)])
    }

    @Test("A statement that fails is an error of the change of an outbox, which then works again")
    func outbox() throws {
        let store = OutboxStore(path: scratch.path("outbox.sqlite"))
        let (first, second) = (UUID(), UUID())
        _ = try store.accept([(first, Data([1])), (second, Data([2]))], at: now)
        try store.settle([(1, .failed, "why"), (2, .failed, "why")], at: now)
        let changes: [Change] = [
            ("INSERT ON outbox", { _ = try store.accept([(UUID(), Data([3]))], at: now) }),
            ("UPDATE ON outbox", { try store.settle([(1, .failed, "other")], at: now) }),
            ("UPDATE ON outbox", { _ = try store.retry([first]) }),
            ("UPDATE ON outbox", { _ = try store.retry(nil) }),
            ("DELETE ON outbox", { _ = try store.drop([first, second]) }),
        ]
        try check(changes.filter { $0.statement != "DELETE ON outbox" }, in: store.file)
        // Both are pending again by now.
        let entries = try [first, second].map { try store.entry($0)?.position ?? 0 }
        try store.settle(entries.map { ($0, .failed, "why") }, at: now)
        try check(changes.filter { $0.statement == "DELETE ON outbox" }, in: store.file)
        let counts = try store.counts()
        #expect(counts == [.pending: 1])
    }

    @Test("Quizzes that are refused together with another are neither accepted, settled, retried nor dropped")
    func together() throws {
        let store = OutboxStore(path: scratch.path("outbox.sqlite"))
        let quizzes = (0..<2).map { _ in UUID() }
        try refuse("INSERT ON outbox WHEN new.archive = x'02'", in: store.file)
        #expect(throws: StoreError.self) {
            try store.accept([(quizzes[0], Data([1])), (quizzes[1], Data([2]))], at: now)
        }
        try allow(in: store.file)
        let none = try store.counts()
        #expect(none == [:])
        _ = try store.accept([(quizzes[0], Data([1])), (quizzes[1], Data([2]))], at: now)
        try refuse("UPDATE ON outbox WHEN old.archive = x'02'", in: store.file)
        #expect(throws: StoreError.self) { try store.settle([(1, .failed, "a"), (2, .failed, "b")], at: now) }
        try allow(in: store.file)
        let pending = try store.counts()
        #expect(pending == [.pending: 2])
        try store.settle([(1, .failed, "a"), (2, .failed, "b")], at: now)
        try refuse("UPDATE ON outbox WHEN old.archive = x'02'", in: store.file)
        #expect(throws: StoreError.self) { try store.retry(nil) }
        try allow(in: store.file)
        try refuse("DELETE ON outbox WHEN old.archive = x'02'", in: store.file)
        #expect(throws: StoreError.self) { try store.drop(quizzes) }
        try allow(in: store.file)
        let failed = try store.entries(.failed, limit: 9).map(\.position)
        #expect(failed == [2, 1])
    }
}
